import type { BubblewrapHost } from "./bubblewrap-host.js";

type Account = Pick<BubblewrapHost, "uid" | "gid" | "userName" | "home">;

const NOBODY = 65_534;

/** An /etc/passwd with the script's user in it. Whoever owns a file and is not that user is nobody. */
export function passwdFile({ uid, gid, userName, home }: Account): string {
	const nobody = uid === NOBODY ? "" : `nobody:x:${NOBODY}:${NOBODY}:nobody:/nonexistent:/usr/sbin/nologin\n`;
	// A colon would begin another field.
	const directory = /[:\n]/.test(home) ? "/" : home;
	return `root:x:0:0:root:/root:/usr/sbin/nologin\n${userName}:x:${uid}:${gid}::${directory}:/bin/sh\n${nobody}`;
}

/** An /etc/group to go with it. */
export function groupFile({ gid, userName }: Account): string {
	return `root:x:0:\n${userName}:x:${gid}:\n${gid === NOBODY ? "" : `nogroup:x:${NOBODY}:\n`}`;
}
