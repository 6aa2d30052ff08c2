import { Refusal } from "../../ledger/refusals.js";
import { note, type Passage } from "../passage.js";
import type { Environment } from "../stages.js";
import type { GuardedTool, ReadArguments, ToolArguments } from "../tools/registry.js";

/** The arguments of a registered tool; refuses an unknown tool and whatever the tool's schema refuses. */
export function validate(passage: Passage, { registry }: Environment): ToolArguments {
  const tool = registry.find(passage.dispatch.tool);
  const read: ReadArguments =
    tool === undefined
      ? { kind: "invalid", code: "unknown_tool" }
      : readArguments(tool, passage.call.request);
  if (read.kind === "invalid") {
    note(passage, "schema", "block", read.code);
    throw new Refusal("input_rejected", read.code);
  }
  passage.tool = tool;
  note(passage, "schema", "allow", "valid");
  return read.args;
}

export function readArguments(tool: GuardedTool, request: string): ReadArguments {
  try {
    return tool.readArguments(JSON.parse(request));
  } catch {
    return { kind: "invalid", code: "shape" };
  }
}
