import { callNumber, type FilterArchitecture, LAST_JUDGED_NUMBER } from "./call-numbers.js";
import { answerWith, encode, type Instruction, loadArchitecture, loadArgument, loadNumber, skip, unless } from "./instruction.js";
import { type Comparison, REFUSALS, type Refusal } from "./refusals.js";

/** So few calls are compared one by one. */
const LEAF = 3;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const ERRNO = 0x0005_0000;
const ERROR_NUMBERS = { EPERM: 1, ENOSYS: 38 } as const;

/** How the kernel names a processor's own calls. */
const AUDIT_ARCHITECTURE: Readonly<Record<FilterArchitecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** The bit that marks calls of the x32 ABI, which a 64-bit kernel may serve under the same architecture. */
const X32_BIT = 0x4000_0000;

/** The architecture a filter can be made for, or `undefined`: without a filter nothing is run. */
export function filterArchitecture(processor: string): FilterArchitecture | undefined {
	return processor === "x64" || processor === "arm64" ? processor : undefined;
}

/** The filter as the kernel takes it: little-endian `struct sock_filter` entries. A pure function. */
export function seccompFilter(architecture: FilterArchitecture): Uint8Array {
	return encode([...ownCallsOnly(architecture), ...search(judgedCalls(architecture))]);
}

/** Another processor's calls have other numbers, so that none could be judged: such a program ends. x32 and what is newer than the table does not exist. */
function ownCallsOnly(architecture: FilterArchitecture): readonly Instruction[] {
	const noSuchCall = answerWith(ERRNO | ERROR_NUMBERS.ENOSYS);
	return [
		loadArchitecture,
		unless("equals", AUDIT_ARCHITECTURE[architecture], 1),
		skip(1),
		answerWith(KILL_PROCESS),
		loadNumber,
		...(architecture === "x64" ? [unless("atLeast", X32_BIT, 1), noSuchCall] : []),
		unless("above", LAST_JUDGED_NUMBER, 1),
		noSuchCall,
	];
}

interface JudgedCall {
	readonly number: number;
	readonly body: readonly Instruction[];
}

function judgedCalls(architecture: FilterArchitecture): readonly JudgedCall[] {
	const calls = REFUSALS.flatMap((refusal) => {
		const body = judge(refusal);
		return refusal.calls.flatMap((name) => {
			const number = callNumber(name, architecture);
			return number === undefined ? [] : [{ number, body }];
		});
	});
	return calls.sort((a, b) => a.number - b.number);
}

/** By halves: the kernel runs the filter for every call a script makes, and for every number there is when it is installed. */
function search(calls: readonly JudgedCall[]): readonly Instruction[] {
	const middle = calls.length >> 1;
	const pivot = calls[middle];
	if (pivot === undefined || calls.length <= LEAF) {
		return [...calls.flatMap(({ number, body }) => [unless("equals", number, body.length), ...body]), answerWith(ALLOW)];
	}
	const upper = search(calls.slice(middle));
	return [unless("atLeast", pivot.number, upper.length), ...upper, ...search(calls.slice(0, middle))];
}

/** What is done with a call of a refusal. Ends with an answer, always: the number is no longer loaded once an argument was looked at. */
function judge({ answer, when, except }: Refusal): readonly Instruction[] {
	const no = answerWith(ERRNO | ERROR_NUMBERS[answer]);
	const yes = answerWith(ALLOW);
	if (when !== undefined) return [...when.flatMap((all) => ifAll(all, no)), yes];
	if (except !== undefined) return [...except.flatMap((all) => ifAll(all, yes)), no];
	return [no];
}

/** The answer when all comparisons hold; else what follows. */
function ifAll(comparisons: readonly Comparison[], answer: Instruction): readonly Instruction[] {
	const last = 2 * comparisons.length;
	const tests = comparisons.flatMap(({ argument, test, value }, index) => [
		loadArgument(argument),
		unless(test, value, last - 2 * index - 1),
	]);
	return [...tests, answer];
}
