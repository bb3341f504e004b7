import { expect, it } from "vitest";
import { UsageError } from "../src/exit.js";
import { readMessage } from "../src/message.js";

async function* input(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
	for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

it("readMessage() takes the argument as it is", async () => {
	expect(await readMessage("  hello ", input())).toBe("  hello ");
});

it("readMessage() reads standard input for - and joins a character that two chunks share", async () => {
	const [first, second] = [Buffer.from("größe").subarray(0, 3), Buffer.from("größe").subarray(3)];
	expect(await readMessage("-", input(first, second))).toBe("größe");
});

it.each([
	["nothing", undefined, "The message is missing"],
	["an empty argument", " \n", "The message is empty"],
	["an empty standard input", "-", "Standard input held no message"],
])("readMessage() refuses %s", async (_, argument, message) => {
	await expect(readMessage(argument, input())).rejects.toThrow(UsageError);
	await expect(readMessage(argument, input())).rejects.toThrow(message);
});

it("readMessage() stops reading an endless standard input", async () => {
	async function* endless(): AsyncGenerator<Uint8Array> {
		for (;;) yield new Uint8Array(1024 * 1024);
	}
	await expect(readMessage("-", endless())).rejects.toThrow("longer than 16 MiB");
});
