/**
 * The input of a call that asks a script for its help, whatever parameters it declares. Known by being this very object: what a model sends is
 * never it. Whoever is asked whether the script may run reads what will be passed.
 */
export const HELP_REQUEST: { readonly args: readonly string[] } = Object.freeze({ args: Object.freeze(["--help"]) });
