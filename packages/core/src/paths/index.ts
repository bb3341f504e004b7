export { expandPath, type PathContext } from "./expand-path.js";
export { realPath } from "./real-path.js";
export { isAtOrBelow, segmentsOf } from "./segments.js";
