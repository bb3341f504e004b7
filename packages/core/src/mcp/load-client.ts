import { DependencyError } from "../errors/dependency-error.js";
import { messageOf } from "../text/message-of.js";

/** The package that speaks the protocol. */
export type ClientPackage = typeof import("@modelcontextprotocol/client");

const PACKAGE = "@modelcontextprotocol/client";

/**
 * Loads the package that speaks the protocol when the first server is needed. It is the user's to install, as model providers are: it
 * weighs more than all of core, and most robots have no MCP server.
 *
 * @throws DependencyError that names the command, when it is not installed.
 */
export async function loadClient(
	importPackage: () => Promise<ClientPackage> = () => import("@modelcontextprotocol/client"),
): Promise<ClientPackage> {
	try {
		return await importPackage();
	} catch (cause) {
		const [reason] = messageOf(cause).split("\n");
		throw new DependencyError(
			PACKAGE,
			`MCP servers need the package ${PACKAGE} 2.x, which could not be loaded (${reason}). Install it: npm install ${PACKAGE}`,
			{ cause },
		);
	}
}
