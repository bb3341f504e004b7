import type { FilterFamily } from "./filter.js";

const FILE: readonly FilterFamily[] = ["path", "file-mode", "vnode-type"];
const NETWORK: readonly FilterFamily[] = ["network", "socket", "path", "file-mode", "vnode-type"];

/** Which filters an operation accepts, first match counts. Every operation accepts `extension` and `process` besides. Facts of macOS 10.15. */
const ACCEPTED: readonly (readonly [RegExp, readonly FilterFamily[]])[] = [
	[/^file-/, FILE],
	[/^file\*$/, FILE],
	[/^process-exec/, ["path", "file-mode"]],
	[/^(qtn-user|system-automount|storage-class-map|load-unsigned-code)$/, ["path"]],
	[/^network/, NETWORK],
	[/^system-socket$|^socket-ioctl$/, ["socket"]],
	[/^mach-(lookup|register|cross-domain-lookup|issue-extension)$/, ["mach"]],
	[/^mach-priv-task-port$/, ["path", "target"]],
	// The table of 10.15 has no target for process-info* itself; the systems since then compile it, and codex and others rely on it.
	[/^(process-info|process-codesigning-status|signal$|mach-task-name$|system-debug$|system-sched$)/, ["target"]],
	[/^sysctl/, ["sysctl"]],
	[/^ipc-posix/, ["posix-ipc"]],
	[/^iokit-(open|set-properties|get-properties)$/, ["iokit"]],
	[/preference/, ["preference"]],
	[/^appleevent-send$/, ["appleevent-destination"]],
	[/^authorization-right-obtain$/, ["right-name"]],
	[/^(darwin|distributed)-notification-post$/, ["notification-name"]],
	[/^nvram/, ["nvram-variable"]],
	[/^system-kext-(load|unload)$/, ["kext-bundle-id"]],
	[/^system-info$/, ["info-type"]],
];

/** The families of filters that compile with an operation. */
export function acceptedFamilies(operation: string): ReadonlySet<FilterFamily> {
	const families = ACCEPTED.find(([pattern]) => pattern.test(operation))?.[1] ?? [];
	return new Set<FilterFamily>(["extension", "process", ...families]);
}
