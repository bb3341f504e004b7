/** Whether a platform is macOS. Default: this one. */
export function isMacos(platform: NodeJS.Platform = process.platform): boolean {
	return platform === "darwin";
}
