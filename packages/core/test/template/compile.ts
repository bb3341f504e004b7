import { compileBody } from "../../src/template/compile-body.js";
import { renderBody } from "../../src/template/render-body.js";
import type { TemplateContext } from "../../src/template/template.js";
import { templateValues } from "../../src/template/template-values.js";

/** Fills in a text, as it stands in a file without front matter. */
export const fill = (text: string, context: TemplateContext = {}): string => renderBody(compileBody(text, 1), templateValues(context));
