import { heldToWhatTheyPrint } from "./held-to-what-they-print.js";

heldToWhatTheyPrint({ folder: "networks", count: 4, parts: ["asked"] });
