import type { Fault, Json } from "../model/vocabulary.js";

export type Tree = { readonly [key: string]: Json };

/** The key with its value, or nothing for `undefined`. */
export function given(key: string, value: Json | undefined): Tree {
  return value === undefined ? {} : { [key]: value };
}

/** A fault as it stands in a file. */
export function faultTree(fault: Fault): Json {
  switch (fault.kind) {
    case "bad_output":
    case "receipt_ignored":
    case "receipt_aborted":
    case "effect_ignored":
      return fault.kind;
    case "throw_at":
      return { throw_at: fault.at };
    case "spoilt_output":
      return {
        spoilt_output: { as: fault.as, ...given("tries", fault.tries === 1 ? undefined : fault.tries) },
      };
    default:
      return { [fault.kind]: fault.stage };
  }
}

/** Longer or deeper arguments are easier to read as the text that they are. */
const longestArguments = 400;
const deepestArguments = 6;

/** A request as a mapping where the mapping means exactly this text, else as the text. */
export function requestTree(request: string): Tree {
  const value = mappingOf(request);
  return value === undefined ? { args_text: request } : { args: value };
}

function mappingOf(request: string): Json | undefined {
  // Controls, format characters and the like would be invisible in the file.
  if (request.length > longestArguments || /[\p{C}\p{Zl}\p{Zp}]/u.test(request)) {
    return undefined;
  }
  try {
    const value: Json = JSON.parse(request);
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    const same = JSON.stringify(value) === request && isReadable(value, deepestArguments);
    return isMapping && same ? value : undefined;
  } catch {
    return undefined;
  }
}

function isReadable(value: Json, depth: number): boolean {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) || !Number.isInteger(value);
  }
  if (typeof value !== "object" || value === null) {
    return true;
  }
  return depth > 0 && Object.values(value).every((inner: Json) => isReadable(inner, depth - 1));
}
