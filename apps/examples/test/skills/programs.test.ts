import { heldToWhatTheyPrint } from "../networks/held-to-what-they-print.js";

heldToWhatTheyPrint({ folder: "skills", count: 2 });
