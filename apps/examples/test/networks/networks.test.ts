import { heldToWhatTheyPrint } from "./held-to-what-they-print.js";

heldToWhatTheyPrint({ folder: "networks", count: 5, parts: ["asked", "worker-robots"] });
