/** Milliseconds. Beyond this, Node's timers ring at once. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1;
