import type { MissingEvidence } from "../../../src/rules/decision.js";
import type { Assertion } from "../../../src/rules/rule.js";
import type { TracedCall } from "../../../src/rules/trace.js";

type Idempotent = Extract<Assertion, { readonly kind: "idempotent" }>;

/** The key that a call makes, or why it makes none that can be read. */
export type SpelledKey =
  | { readonly kind: "key"; readonly text: string }
  /** A call of another tool makes no key at all. */
  | { readonly kind: "other_tool" }
  | {
      readonly kind: Extract<
        MissingEvidence,
        "unnamed_call" | "no_arguments" | "malformed_arguments" | "no_key"
      >;
    };

/** Two calls are one transaction of the rule exactly if both make keys of the same text. */
export function readKey({ tool, key }: Idempotent, call: TracedCall): SpelledKey {
  if (call.tool === undefined) return { kind: "unnamed_call" };
  if (call.tool !== tool) return { kind: "other_tool" };
  if (call.arguments.kind === "missing") return { kind: "no_arguments" };
  if (call.arguments.kind === "malformed") return { kind: "malformed_arguments" };
  const { value } = call.arguments;
  const wanted = key.parts.flatMap((part) => (part.kind === "argument" ? [part.name] : []));
  const spelled = wanted.map((name) => (Object.hasOwn(value, name) ? spell(value[name]) : undefined));
  if (spelled.includes(undefined)) return { kind: "no_key" };
  // Lengths before the texts: no two lists of texts give the same one.
  return { kind: "key", text: spelled.map((text = "") => `${text.length}:${text}`).join("") };
}

/** Text as it is; other plain values as JSON spells them, so that "1" and 1 are the same. */
function spell(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? JSON.stringify(value) : undefined;
}
