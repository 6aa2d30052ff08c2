import { z } from "zod";
import { UsageError } from "../../config/usage-error.js";
import type { DeclaredTool } from "../../rules/export/nemo.js";

const tool = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.json()).optional(),
});

/** As an application passes them to the model, or the same without the wrapping. */
const list = z.array(z.union([z.object({ type: z.literal("function"), function: tool }), tool]));

/** Tools from JSON text: a list of `{ name, description?, parameters? }`. @throws UsageError that names `place` */
export function declaredTools(text: string, place: string): readonly DeclaredTool[] {
  const read = list.safeParse(parsed(text, place));
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    throw new UsageError({
      message: `expected a list of tools like [{ "name": "get_order", "parameters": { "type": "object" } }], seen something else${where}`,
      place,
    });
  }
  return read.data
    .map((one) => ("function" in one ? one.function : one))
    .map(({ name, description, parameters }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      // A tool without parameters takes none.
      parameters: parameters ?? { type: "object", properties: {}, additionalProperties: false },
    }));
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError({ message: `expected tools in JSON: ${reason}`, place });
  }
}
