import type { Json } from "../../model/vocabulary.js";
import type { DraftArguments } from "./arguments.js";
import type { Passage } from "./passage.js";
import type { StepStore } from "./store.js";

/** The tool whose effects these are. */
export const toolName = "draft";

/** What the store holds of an effect that a later attempt may reuse; `body` is JSON text. */
export type StoredEffect = { readonly digest: string; readonly body: string };

export function effectRow(
  passage: Passage,
  args: DraftArguments,
  value: Json,
): { readonly [name: string]: string | number } {
  const { tenant, runId, callId } = passage.call;
  return {
    tenant,
    tool: toolName,
    key: args.job,
    digest: passage.digest,
    body: JSON.stringify(value),
    revision: passage.snapshot?.revision ?? 0,
    copies: args.copies,
    runId,
    callId,
  };
}

export function readEffect(store: StepStore, passage: Passage, key: string): StoredEffect | undefined {
  const row = store.row("readEffect", { tenant: passage.call.tenant, tool: toolName, key });
  return isEffect(row) ? row : undefined;
}

function isEffect(row: unknown): row is StoredEffect {
  return (
    typeof row === "object" &&
    row !== null &&
    "digest" in row &&
    typeof row.digest === "string" &&
    "body" in row &&
    typeof row.body === "string"
  );
}
