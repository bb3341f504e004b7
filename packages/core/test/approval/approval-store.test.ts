import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type Approval, approvalWith, readApproval, usualStore, writeApproval } from "../../src/approval/approval-store.js";
import { bundleDigest } from "../../src/approval/bundle-digest.js";
import type { PinnedGrant } from "../../src/approval/pinned-grant.js";
import { temporaryBundle } from "../script/bundle.js";
import { answering, greeting, run } from "./bundle.js";

const GRANT: PinnedGrant = { confined: true, fsRead: ["/work"], fsWrite: [], network: false };
const newStore = (): string => join(temporaryBundle(), "state/approvals");
const fileIn = (store: string): string => join(store, readdirSync(store)[0] as string);

async function approved(bundle: string, grant: PinnedGrant = GRANT): Promise<Approval> {
	return approvalWith(undefined, { name: "greet", path: bundle, ...(await bundleDigest(bundle)) }, grant);
}

describe("what is approved for good", () => {
	it("is kept for this user alone, counts in another process, and for other files no more", async () => {
		const [bundle, store] = [greeting(), newStore()];
		expect(await run(bundle, { ...answering("always"), store })).toBe("hello \n");
		// a function of its own has no memory of the first one's answers, as another process has none
		expect(await run(bundle, { ...answering("deny"), store })).toBe("hello \n");
		expect([statSync(store).mode & 0o777, statSync(fileIn(store)).mode & 0o777]).toEqual([0o700, 0o600]);
		expect(readdirSync(store)).toHaveLength(1);
		const words = join(bundle, "scripts/lib/words.sh");
		const { atime, mtime } = statSync(words);
		writeFileSync(words, "WORD=hallo\n");
		utimesSync(words, atime, mtime);
		const later = answering("deny");
		await run(bundle, { ...later, store });
		expect(later.asked).toMatchObject([{ reason: "files_changed", changes: { changed: ["scripts/lib/words.sh"] } }]);
	});

	it("is asked about and written in each store, by one function, too", async () => {
		const [bundle, one, other] = [greeting(), newStore(), newStore()];
		const { approve, asked } = answering("always");
		for (const store of [one, other, one, relative(process.cwd(), other)]) await run(bundle, { approve, store });
		expect(asked).toHaveLength(2);
		expect([await readApproval(one, bundle), await readApproval(other, bundle)]).toMatchObject([{ name: "greet" }, { name: "greet" }]);
	});

	it("is not given by once", async () => {
		const store = newStore();
		await run(greeting(), { ...answering("once"), store });
		expect(existsSync(store)).toBe(false);
	});

	it("holds whole approvals when several are written at once, each bundle's apart", async () => {
		const [store, bundles] = [newStore(), [greeting(), greeting({ "a.md": "" })]];
		const approvals = await Promise.all(bundles.map((bundle) => approved(bundle)));
		await Promise.all(Array.from({ length: 20 }, (_, index) => writeApproval(store, approvals[index % 2] as Approval)));
		expect(await Promise.all(bundles.map((bundle) => readApproval(store, bundle)))).toEqual(approvals);
		expect(readdirSync(store)).toHaveLength(2);
	});

	it("has every grant apart, without those that a wider one takes in", async () => {
		const one = await approved(greeting());
		const networked = { ...GRANT, fsRead: ["/other"], network: true };
		const two = approvalWith(one, one, networked);
		expect(two.grants).toEqual([GRANT, networked]);
		expect(approvalWith(two, one, { ...GRANT, fsRead: ["/"], network: true }).grants).toHaveLength(1);
		expect(approvalWith(two, { ...one, digest: "sha256:other" }, GRANT).grants).toEqual([GRANT]);
		let many = one;
		for (let each = 0; each < 100; each++) many = approvalWith(many, one, { ...GRANT, fsRead: [`/p${each}`] });
		expect(many.grants).toHaveLength(64);
		expect(many.grants.at(-1)?.fsRead).toEqual(["/p99"]);
	});

	it("is refused, named and left as it is where it is broken, forged, another's, a link, or open to others", async () => {
		const bundle = greeting();
		const evil = greeting({ "scripts/lib/words.sh": "WORD=evil\n" });
		const swap = (text: string, from: RegExp, to: string): string => {
			expect(text).toMatch(from);
			return text.replace(from, to);
		};
		const attacks: readonly ((file: string, text: string) => void)[] = [
			(file) => writeFileSync(file, ""),
			(file) => writeFileSync(file, "{"),
			(file) => writeFileSync(file, "[]"),
			(file, text) => writeFileSync(file, swap(text, /"version": 1/, '"version": 2')),
			(file, text) => writeFileSync(file, swap(text, /"digest": "sha256:./, '"digest": "sha256:x')),
			(file, text) => writeFileSync(file, swap(text, /sha256:[0-9a-f]{64} executable/, "sha256:none")),
			(file, text) => writeFileSync(file, swap(text, /"confined": \w+/, '"confined": "no"')),
			(file, text) => writeFileSync(file, text.replaceAll(bundle, evil)),
			(file, text) => {
				writeFileSync(`${file}.elsewhere`, text, { mode: 0o600 });
				rmSync(file);
				symlinkSync(`${file}.elsewhere`, file);
			},
			(file) => {
				rmSync(file);
				mkdirSync(file);
			},
			(file) => writeFileSync(file, " ".repeat(5 * 1024 * 1024)),
			(file) => chmodSync(file, 0o622),
			(file) => chmodSync(join(file, ".."), 0o777),
		];
		for (const attack of attacks) {
			const store = newStore();
			await run(bundle, { ...answering("always"), store });
			const file = fileIn(store);
			attack(file, readFileSync(file, "utf8"));
			const before = statSync(file).isFile() && readFileSync(file, "utf8");
			const { asked, approve } = answering("always");
			const text = await run(bundle, { approve, store });
			expect(text).toMatch(
				/^Error \(not run: not_approved\): The approval file ".*\.json" .*Look at it, and remove it if it is not yours.*Nothing was run\.$/,
			);
			expect([asked, statSync(file).isFile() && readFileSync(file, "utf8")]).toEqual([[], before]);
		}
	});

	it("never writes through a link that takes the file's place", async () => {
		const [bundle, store] = [greeting(), newStore()];
		const approval = await approved(bundle);
		await writeApproval(store, approval);
		const [file, precious] = [fileIn(store), join(temporaryBundle({ precious: "mine" }), "precious")];
		rmSync(file);
		symlinkSync(precious, file);
		await writeApproval(store, approval);
		expect(readFileSync(precious, "utf8")).toBe("mine");
		expect(await readApproval(store, bundle)).toEqual(approval);
	});

	it("counts in this process where it cannot be kept", async () => {
		const bundle = greeting();
		const { approve, asked } = answering("always");
		const store = join(bundle, "SKILL.md", "store");
		// there can be no directory below a file: that is a store that cannot be read
		expect(await run(bundle, { approve, store })).toMatch(/The approval file .* cannot be read \(ENOTDIR\)/);
		expect(await run(bundle, { approve, store: "/proc/store" })).toBe("hello \n");
		expect(await run(bundle, { approve, store: "/proc/store" })).toBe("hello \n");
		expect(asked).toHaveLength(1);
	});

	it("lies outside of projects: where XDG_STATE_HOME says or in the home directory", () => {
		expect(usualStore({ XDG_STATE_HOME: "/state" }, "/home/me")).toBe("/state/robot_lab/approvals");
		for (const variables of [{}, { XDG_STATE_HOME: "state" }, { XDG_STATE_HOME: "" }]) {
			expect(usualStore(variables, "/home/me")).toBe("/home/me/.local/state/robot_lab/approvals");
		}
		expect(() => usualStore({}, "")).toThrow(/Set HOME or XDG_STATE_HOME/);
	});
});
