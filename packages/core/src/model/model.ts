import type { LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";

/** A language model of the AI SDK's provider specification. Both versions stream the same parts; V3 lacks some of V4's. */
export type Model = LanguageModelV4 | LanguageModelV3;

/** A model itself, `"provider/model"`, or `"offline"`. */
export type ModelChoice = Model | string;

/** How a person reads which model it is: `provider/model`. */
export const modelName = (model: Model): string => `${model.provider}/${model.modelId}`;

/** `supportedUrls` of a model that reads nothing from the network: the AI SDK fetches no file of a prompt on its behalf. */
export const everyUrl = (): Record<string, RegExp[]> => ({ "*/*": [/.*/] });
