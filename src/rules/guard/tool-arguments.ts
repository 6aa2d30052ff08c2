import { z } from "zod";
import type { Json } from "../../model/vocabulary.js";
import type { TracedArguments } from "../trace.js";

/** The arguments of a call, or the JSON text that a model wrote for them; undefined where they are not known. */
export type ToolArguments = Readonly<Record<string, Json>> | string | undefined;

const jsonObject = z.record(z.string(), z.json());

/** What a decision may go by; of arguments that change later, what they were at this moment. */
export function toolArguments(given: ToolArguments): TracedArguments {
  if (given === undefined || given === null) {
    return { kind: "missing" };
  }
  if (typeof given !== "string") {
    // Keys are made of texts, numbers and truth values, so that nothing deeper matters.
    return Array.isArray(given) ? malformed(JSON.stringify(given)) : { kind: "known", value: { ...given } };
  }
  try {
    const read = jsonObject.safeParse(JSON.parse(given));
    return read.success ? { kind: "known", value: read.data } : malformed(given);
  } catch {
    return malformed(given);
  }
}

function malformed(text: string): TracedArguments {
  return { kind: "malformed", text };
}
