// The bus of another thread
export { type BusService, serveBus } from "./serve-bus.js";
// The tasks of networks in other threads
export { type ServeTasksOptions, serveTasks, type TaskService } from "./task-server.js";
export { ThreadTaskRunner, type ThreadTaskRunnerOptions } from "./task-thread-runner.js";
export type { ThreadPort } from "./thread-port.js";
export { type ThreadTransportOptions, threadTransport } from "./thread-transport.js";
