/** What a tea shop's robot can look up: sections of Markdown. */
export const HANDBOOK = `# Opening hours

Monday to Saturday from nine to six. On Sundays from ten to one.

# Returns

Tea that was opened cannot be returned. Everything else comes back within thirty days, with the receipt.

# Shipping

We send parcels every weekday before noon. Within Switzerland a parcel takes two days, abroad a week.

# Brewing green tea

Water of seventy degrees, two minutes. Boiling water makes it bitter.

# Brewing black tea

Boiling water, four minutes. Milk is a matter of taste.

# Suppliers

Our assam comes from the river garden, our sencha from Uji. Each crate is tasted before it is sold.
`;
