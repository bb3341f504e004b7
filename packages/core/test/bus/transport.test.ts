import { describe, it } from "vitest";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { describeBusTransport } from "../../src/testing/bus-transport-contract.js";

describeBusTransport("InProcessTransport", () => new InProcessTransport(), { describe, it });
