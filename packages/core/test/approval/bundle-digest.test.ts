import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type BundleDigest, bundleDigest, digestOf, type KnownBundle, readBundle } from "../../src/approval/bundle-digest.js";
import { keepsChangeTimes } from "../../src/approval/change-times.js";
import { type File, temporaryBundle } from "../script/bundle.js";
import { GREETING, greeting } from "./bundle.js";

const digest = async (bundle: string): Promise<string> => (await bundleDigest(bundle)).digest;

/** Larger than what is read every time. */
const LARGE = { "data.bin": new Uint8Array(1024 * 1024 + 1) };
const AN_HOUR_AGO = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);

describe("bundleDigest", () => {
	it("is of names, contents, executable bits and links, each of which changes it", async () => {
		const bundle = greeting();
		const seen = [await digest(bundle)];
		const changes: readonly (() => void)[] = [
			() => writeFileSync(join(bundle, "scripts/lib/words.sh"), "WORD=hullo\n"),
			() => chmodSync(join(bundle, "scripts/lib/words.sh"), 0o755),
			() => renameSync(join(bundle, "scripts/lib/words.sh"), join(bundle, "scripts/lib/.words")),
			() => symlinkSync(".words", join(bundle, "scripts/lib/words.sh")),
			() => {
				rmSync(join(bundle, "scripts/lib/words.sh"));
				symlinkSync("../greet.sh", join(bundle, "scripts/lib/words.sh"));
			},
			() => {
				mkdirSync(join(bundle, ".git/hooks"), { recursive: true });
				writeFileSync(join(bundle, ".git/hooks/post-checkout"), "");
			},
			() => {
				mkdirSync(join(bundle, "scripts/__pycache__"));
				writeFileSync(join(bundle, "scripts/__pycache__/words.cpython-313.pyc"), "");
			},
			() => {
				mkdirSync(join(bundle, "node_modules"));
				writeFileSync(join(bundle, "node_modules/__proto__"), "");
			},
		];
		for (const change of changes) {
			change();
			seen.push(await digest(bundle));
		}
		expect(new Set(seen).size).toBe(changes.length + 1);
		expect((await bundleDigest(bundle)).files).toMatchObject({
			"scripts/greet.sh": expect.stringMatching(/^sha256:[0-9a-f]{64} executable$/),
			"scripts/lib/words.sh": "link:../greet.sh",
			"SKILL.md": expect.stringMatching(/^sha256:[0-9a-f]{64} executable$/),
			"node_modules/__proto__": expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
		});
	});

	it("is the same for a copy, whatever its times and its place, and for a link to it", async () => {
		const bundle = greeting();
		const copy = join(temporaryBundle(), "copy");
		cpSync(bundle, copy, { recursive: true });
		mkdirSync(join(copy, "empty"));
		utimesSync(join(copy, "SKILL.md"), AN_HOUR_AGO, AN_HOUR_AGO);
		symlinkSync(copy, `${copy}-link`);
		expect([await digest(copy), await digest(`${copy}-link`)]).toEqual([await digest(bundle), await digest(bundle)]);
	});

	it("is another for other files, however names and contents are cut", async () => {
		const name = fc.string({ minLength: 1, maxLength: 4, unit: "grapheme-ascii" }).filter((text) => !/^\.{0,2}$|[/\0]/.test(text));
		const tree = fc.dictionary(name, fc.string({ maxLength: 3 }), { maxKeys: 4, noNullPrototype: true });
		await fc.assert(
			fc.asyncProperty(tree, tree, async (left, right) => {
				const [one, other] = [temporaryTree(left), temporaryTree(right)];
				const same = JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort());
				expect((await digest(one)) === (await digest(other))).toBe(same);
				for (const path of [one, other]) rmSync(path, { recursive: true });
			}),
			{ numRuns: 40 },
		);
	});

	it("refuses what no digest can stand for, by its name and with what to do", async () => {
		const refusals: readonly (readonly [RegExp, (bundle: string) => void])[] = [
			[
				/"scripts\/out": it is a link to "\/etc\/passwd".*Replace it by a file/,
				(bundle) => symlinkSync("/etc/passwd", join(bundle, "scripts/out")),
			],
			[/"out": it is a link to "\.\."/, (bundle) => symlinkSync("..", join(bundle, "out"))],
			// its own path leads back in, and whoever changes what is outside leads it elsewhere
			[/"through": it is a link/, (bundle) => symlinkSync(join(bundle, "SKILL.md"), join(bundle, "through"))],
			[
				/"scripts\/b": it is a link/,
				(bundle) => {
					symlinkSync("..", join(bundle, "scripts/a"));
					symlinkSync("a/../x", join(bundle, "scripts/b"));
				},
			],
			[/"pipe": it is neither a file/, (bundle) => spawnSync("mkfifo", [join(bundle, "pipe")])],
			[
				/"a\uFFFD": its name is not Unicode/,
				(bundle) => writeFileSync(Buffer.concat([Buffer.from(`${bundle}/a`), Buffer.from([0xff])]), ""),
			],
			[/more than 4096 files/, (bundle) => many(join(bundle, "scripts/lib"))],
			[/is not there any more/, (bundle) => rmSync(bundle, { recursive: true })],
		];
		for (const [message, change] of refusals) {
			const bundle = greeting();
			change(bundle);
			await expect(bundleDigest(bundle)).rejects.toMatchObject({ code: "configuration", message: expect.stringMatching(message) });
		}
	});

	it("refuses more than 64 MiB, whatever sizes say", async () => {
		const bundle = greeting();
		writeFileSync(join(bundle, "large"), "");
		spawnSync("truncate", ["-s", "65M", join(bundle, "large")]);
		await expect(bundleDigest(bundle)).rejects.toThrow(/more than 64 MiB/);
	});

	it.skipIf(process.getuid?.() === 0)("refuses a file that may not be read, by its name (root may read every file)", async () => {
		const bundle = greeting();
		chmodSync(join(bundle, "scripts/greet.sh"), 0o311);
		await expect(bundleDigest(bundle)).rejects.toThrow(/greet\.sh" may not be read/);
	});

	it("refuses a bundle of which something that was read is changed before the rest is", async () => {
		const bundle = temporaryBundle({ a: "first", b: "second" });
		let looks = 0;
		// is looked at before each file is read
		const signal = Object.defineProperty(new EventTarget(), "aborted", {
			get: () => {
				if (++looks === 4) writeFileSync(join(bundle, "a"), "other");
				return false;
			},
		}) as AbortSignal;
		await expect(bundleDigest(bundle, { signal })).rejects.toThrow(/it was changed while it was read/);
		expect((await bundleDigest(bundle)).files.a).not.toBe((await bundleDigest(temporaryBundle({ a: "first" }))).files.a);
	});

	it("takes no junk, and ends with the signal's reason", async () => {
		await expect(bundleDigest(7 as never)).rejects.toThrow("not 7");
		await expect(bundleDigest(greeting(), { sgnal: 1 } as never)).rejects.toThrow(/knows no option "sgnal"/);
		await expect(bundleDigest(greeting(), { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(/^enough$/);
	});
});

describe("readBundle", () => {
	it("takes files of a bundle that is not small for what they were as long as their stamps are the same", async () => {
		const bundle = greeting(MANY);
		const known = withMark(await readSettled(bundle), WORDS);
		const again = await readBundle(bundle, { known });
		expect(again.files[WORDS]).toBe(keepsChangeTimes(bundle) ? MARK : (await bundleDigest(bundle)).files[WORDS]);
		expect(again.digest).toBe(digestOf(again.files));
		const { digest, files } = await readSettled(bundle);
		expect(await readBundle(bundle, { known: await readSettled(bundle) })).toMatchObject({ digest, files });
	});

	it("reads a small bundle whole each time, of up to 64 files and 1 MiB", async () => {
		const of = async (more: Readonly<Record<string, File>>): Promise<string | undefined> => {
			const bundle = greeting(more);
			return (await readBundle(bundle, { known: withMark(await readSettled(bundle), WORDS) })).files[WORDS];
		};
		const words = (await bundleDigest(greeting())).files[WORDS];
		const files = (count: number) => Object.fromEntries(Object.entries(MANY).slice(0, count - Object.keys(GREETING).length));
		const larger = keepsChangeTimes(tmpdir()) ? MARK : words;
		expect([await of({}), await of(files(64)), await of(files(65)), await of(LARGE)]).toEqual([words, words, larger, larger]);
	});

	it("knows no file that was changed less than two seconds before it was read, and none of another bundle", async () => {
		const bundle = greeting(MANY);
		const fresh = await readBundle(bundle, {});
		expect(fresh.settled.size).toBe(0);
		const settled = await readSettled(bundle);
		expect(settled.settled.size).toBe(keepsChangeTimes(bundle) ? Object.keys(settled.files).length : 0);
		const known = withMark(await readSettled(greeting(MANY)), WORDS);
		expect((await readBundle(bundle, { known })).files[WORDS]).toBe(fresh.files[WORDS]);
	});

	it("notices a change of the same length whose time was set back, an exchange, another name's write, and what is new or gone", async () => {
		const bundle = greeting(MANY);
		const words = join(bundle, WORDS);
		// in whole seconds, so that they can be set back to what they were
		const setBack = (): void => utimesSync(words, AN_HOUR_AGO, AN_HOUR_AGO);
		setBack();
		const changes: readonly (() => void)[] = [
			() => {
				writeFileSync(words, "WORD=hallo\n");
				setBack();
			},
			() => {
				writeFileSync(`${bundle}.copy`, "WORD=hillo\n");
				utimesSync(`${bundle}.copy`, AN_HOUR_AGO, AN_HOUR_AGO);
				renameSync(`${bundle}.copy`, words);
			},
			() => {
				linkSync(words, `${bundle}.other`);
				writeFileSync(`${bundle}.other`, "WORD=hollo\n");
				rmSync(`${bundle}.other`);
				setBack();
			},
			() => chmodSync(words, 0o755),
			() => {
				mkdirSync(join(bundle, "scripts/lib/json"));
				writeFileSync(join(bundle, "scripts/lib/json/__init__.py"), "");
			},
			() => symlinkSync("greet.sh", join(bundle, "scripts/link")),
			() => {
				rmSync(join(bundle, "scripts/link"));
				symlinkSync("lib", join(bundle, "scripts/link"));
			},
			() => rmSync(words),
		];
		for (const change of changes) {
			const known = await readSettled(bundle);
			change();
			const { digest: now, files } = await readBundle(bundle, { known });
			expect(now).not.toBe(known.digest);
			expect({ digest: now, files }).toEqual(await bundleDigest(bundle));
		}
	});

	it("counts what it does not read again, too, against 64 MiB", async () => {
		const bundle = greeting(MANY);
		const known = await readSettled(bundle);
		const settled = new Map([...known.settled].map(([name, file]) => [name, { ...file, bytes: 1024 * 1024 }]));
		const again = readBundle(bundle, { known: { ...known, settled } });
		await (keepsChangeTimes(bundle) ? expect(again).rejects.toThrow(/more than 64 MiB/) : again);
	});

	it("reads every file each time where its owner may say when it was changed", async () => {
		const bundle = greeting(MANY);
		const before = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
		Object.defineProperty(process, "platform", { ...before, value: "darwin" });
		onTestFinished(() => void Object.defineProperty(process, "platform", before));
		expect((await readSettled(bundle)).settled.size).toBe(0);
	});

	it("gives way to everything else in the process while it lists and reads", async () => {
		const bundle = greeting(MANY);
		let nowMs = 0;
		// each look at the clock takes an hour
		const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 3_600_000));
		let isOver = false;
		let turns = 0;
		const turn = (): void => {
			turns += 1;
			if (!isOver) setImmediate(turn);
		};
		setImmediate(turn);
		await readBundle(bundle, {}).finally(() => {
			isOver = true;
			clock.mockRestore();
		});
		// listed twice and read
		expect(turns).toBeGreaterThan(Object.keys(MANY).length * 3);
	});
});

describe("keepsChangeTimes", () => {
	it("is so only where the kernel of Linux says when something was changed, and not where nobody can tell", () => {
		expect(["/proc", join(temporaryBundle(), "nowhere")].map(keepsChangeTimes)).toEqual([false, false]);
		if (process.platform !== "linux") expect(keepsChangeTimes(tmpdir())).toBe(false);
		else expect(keepsChangeTimes(TMPFS)).toBe(true);
	});
});

/** Linux has it everywhere: shared memory of programs needs it. */
const TMPFS = "/dev/shm";

/** More files than are read each time. */
const MANY: Readonly<Record<string, File>> = Object.fromEntries(Array.from({ length: 66 }, (_, index) => [`data/${index}`, `${index}`]));
const WORDS = "scripts/lib/words.sh";
const MARK = "sha256:of what was read before";

/** As it is known when it is read a while after the last change. */
async function readSettled(bundle: string): Promise<KnownBundle> {
	const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
	try {
		return await readBundle(bundle, {});
	} finally {
		clock.mockRestore();
	}
}

/** Says of a file what nobody would who reads it. */
const withMark = (known: KnownBundle, name: string): KnownBundle => ({
	...known,
	settled: new Map([...known.settled].map(([each, file]) => [each, each === name ? { ...file, fact: MARK } : file])),
});

/** Files and directories, neither too many by themselves. By programs: one call after the other takes seconds. */
function many(directory: string): void {
	spawnSync("sh", ["-c", "touch $(seq 2050) && mkdir $(seq 3000 5050)"], { cwd: directory });
	onTestFinished(() => void spawnSync("rm", ["-rf", directory]));
}

function temporaryTree(files: Readonly<Record<string, string>>): string {
	const bundle = temporaryBundle();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(bundle, name)), { recursive: true });
		writeFileSync(join(bundle, name), text);
	}
	return bundle;
}

describe("the digest's text", () => {
	it("is pinned: digests that were approved or locked must go on being the same", async () => {
		const { digest: text, files }: BundleDigest = await bundleDigest(greeting());
		expect(Object.keys(files)).toEqual(Object.keys(GREETING).sort());
		expect(text).toBe("sha256:bab05706cbe036adb4770e2f1739723366658faf180a472e0d656dbbee307040");
	});
});
