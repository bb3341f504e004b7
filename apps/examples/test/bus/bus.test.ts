import { heldToWhatTheyPrint } from "../networks/held-to-what-they-print.js";

heldToWhatTheyPrint({ folder: "bus", count: 6 });
