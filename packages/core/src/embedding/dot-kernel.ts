/** Writes the dot product of `query` and each of `rows` rows that lie one after the other to `out`. All places are in bytes, a row is `bytes` long. */
export type DotKernel = (row: number, query: number, out: number, rows: number, bytes: number) => void;

/** Memory that a kernel computes in. It grows in place; a view of it is void then. */
export interface KernelMemory {
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** What of WebAssembly is used: the types of Node do not have it. */
interface WasmHost {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly d: DotKernel } };
	readonly Memory: new (limits: { readonly initial: number }) => KernelMemory;
}

/** Bytes of a page of memory. */
export const PAGE_BYTES = 65_536;
/** Numbers that the kernel takes in one step: a row's length must be a multiple. */
export const STEP = 8;

/*
 * (module
 *   (import "m" "m" (memory 0))
 *   (func (export "d") (param $row i32) (param $query i32) (param $out i32) (param $rows i32) (param $bytes i32)
 *     (local $q i32) (local $end i32) (local $a v128) (local $b v128)
 *     (local.set $end (i32.add (local.get $query) (local.get $bytes)))
 *     (block $done
 *       (loop $next
 *         (br_if $done (i32.eqz (local.get $rows)))
 *         (local.set $a (v128.const i64x2 0 0))
 *         (local.set $b (v128.const i64x2 0 0))
 *         (local.set $q (local.get $query))
 *         (loop $step
 *           (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $q)))))
 *           (local.set $b (f32x4.add (local.get $b)
 *             (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $q)))))
 *           (local.set $row (i32.add (local.get $row) (i32.const 32)))
 *           (br_if $step (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 32))) (local.get $end))))
 *         (local.set $a (f32x4.add (local.get $a) (local.get $b)))
 *         (f32.store (local.get $out)
 *           (f32.add
 *             (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
 *             (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
 *         (local.set $out (i32.add (local.get $out) (i32.const 4)))
 *         (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
 *         (br $next)))))
 */
const KERNEL =
	"AGFzbQEAAAABCQFgBX9/f39/AAIIAQFtAW0CAAADAgEABwUBAWQAAAq+AQG7AQICfwJ7IAEgBGohBgJAA0AgA0UNAf0MAAAAAAAAAAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQgg" +
	"ASEFA0AgByAA/QAEACAF/QAEAP3mAf3kASEHIAggAP0ABBAgBf0ABBD95gH95AEhCCAAQSBqIQAgBUEgaiIFIAZJDQALIAcgCP3kASEHIAIgB/0fACAH/R8BkiAH/R8CIAf9HwOSkjgCACACQQRq" +
	"IQIgA0EBayEDDAALCws=";

/**
 * A kernel with memory of its own, of at least so many bytes, all 0; `undefined` where WebAssembly, its SIMD or the memory is not to be had.
 *
 * @param host Default: that of this process.
 */
export function dotKernel(
	bytes: number,
	host: unknown = Reflect.get(globalThis, "WebAssembly"),
): { readonly memory: KernelMemory; readonly dots: DotKernel } | undefined {
	if (host === undefined) return undefined;
	const { Memory, Module, Instance } = host as WasmHost;
	try {
		const memory = new Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
		const { exports } = new Instance(new Module(Buffer.from(KERNEL, "base64")), { m: { m: memory } });
		return { memory, dots: exports.d };
	} catch {
		return undefined;
	}
}
