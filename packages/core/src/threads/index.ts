// The bus of another thread
export { type BusService, serveBus } from "./serve-bus.js";
export type { ThreadPort } from "./thread-port.js";
export { threadTransport } from "./thread-transport.js";
