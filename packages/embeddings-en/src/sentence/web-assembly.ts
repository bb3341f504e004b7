/** The little of WebAssembly that is used here: the types of Node leave it out, and those of a browser would promise what Node does not have. */
interface WebAssemblyApi {
	readonly Memory: new (descriptor: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (
		module: object,
		imports: Record<string, Record<string, unknown>>,
	) => { readonly exports: Record<string, unknown> };
}

export const webAssembly: WebAssemblyApi = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
