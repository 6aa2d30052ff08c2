import type { TracedArguments } from "../../trace.js";
import { callArguments } from "../call-arguments.js";
import { instant } from "../instant.js";
import { embedded, field, firstField, listField, textField, textOf, wordField } from "../json-fields.js";
import { type Observed, observedConversations } from "../observed.js";
import type { Positioned } from "../positioned-json.js";
import type { ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { tellMessages } from "./any-messages.js";

/**
 * LangSmith exports: runs in a list, in `runs`, line by line, or as `child_runs` of their parents. Traces with one
 * `thread_id`, `session_id` or `conversation_id` in their metadata are one conversation.
 * Source: https://docs.langchain.com/langsmith/run-data-format and log-llm-trace.
 */
export const langsmith: TraceReader = {
  format: "langsmith",
  claims: (root) => {
    const runs = runsOf(root);
    const odd = runs.findIndex((run) => textField(run, "run_type") === undefined);
    if (runs.length === 0 || odd === 0) {
      return differs("there are no runs with a `run_type`");
    }
    return odd < 0 ? fits : differs(`run ${odd + 1} has no \`run_type\``);
  },
  read: (root) => {
    const runs = runsOf(root);
    const threads = new Map<string, string>();
    for (const run of runs) {
      const metadata = field(field(run, "extra"), "metadata");
      const thread = wordField(metadata, ["thread_id", "session_id", "conversation_id"]);
      if (thread !== undefined && !threads.has(traceOf(run))) {
        threads.set(traceOf(run), thread);
      }
    }
    return observedConversations(runs.flatMap(observe), (trace) => threads.get(trace));
  },
};

function runsOf(root: Positioned): readonly Positioned[] {
  const entries = root.kind === "list" ? root.items : (listField(root, "runs") ?? [root]);
  return entries.flatMap(withChildren);
}

function withChildren(run: Positioned): readonly Positioned[] {
  return [run, ...(listField(run, "child_runs") ?? []).flatMap(withChildren)];
}

/** The root run is the trace; its id is the first in every dotted order below it. */
function traceOf(run: Positioned): string {
  const dotted = textField(run, "dotted_order")?.split(".")[0]?.split("Z").slice(1).join("Z");
  return wordField(run, ["trace_id"]) ?? dotted ?? wordField(run, ["parent_run_id", "id"]) ?? "";
}

function observe(run: Positioned): readonly Observed[] {
  const last = textField(run, "dotted_order")?.split(".").at(-1);
  const begins =
    instant(field(run, "start_time")) ??
    (last === undefined ? undefined : instant({ kind: "text", value: last, offset: 0, end: 0 }));
  const place = { run: traceOf(run), begins };
  const [inputs, outputs] = [field(run, "inputs"), field(run, "outputs")];
  switch (textField(run, "run_type")) {
    case "tool":
      return [{ ...place, shows: { kind: "tool", call: toolCall(run) } }];
    case "llm": {
      const told = [...tellMessages(inputs, "given"), ...tellMessages(outputs, "gave")];
      return [{ ...place, shows: { kind: "messages", told } }];
    }
    default:
      return wordField(run, ["parent_run_id"]) !== undefined
        ? []
        : [
            {
              ...place,
              shows: {
                kind: "whole_run",
                given: tellMessages(inputs, "given"),
                gave: tellMessages(outputs, "gave"),
              },
            },
          ];
  }
}

function toolCall(run: Positioned): ToldCall {
  const failed = field(run, "error") !== undefined || textField(run, "status") === "error";
  const ended = firstField(run, ["outputs", "end_time"]) !== undefined;
  return {
    kind: "called",
    id: callId(field(run, "outputs")) ?? wordField(field(field(run, "extra"), "metadata"), ["tool_call_id"]),
    tool: wordField(run, ["name"]),
    arguments: toolArguments(field(run, "inputs")),
    outcome: failed || !ended ? "unknown" : "done",
    at: run,
  };
}

/** A tool of LangChain gives its result as the message that answers the call. */
function callId(outputs: Positioned | undefined): string | undefined {
  const message = field(outputs, "output");
  return wordField(message, ["tool_call_id"]) ?? wordField(field(message, "kwargs"), ["tool_call_id"]);
}

/** LangChain writes the arguments as one text in `input`, in Python's notation or as JSON; others are the inputs. */
function toolArguments(inputs: Positioned | undefined): TracedArguments {
  const only = inputs?.kind === "object" && inputs.fields.size === 1 ? field(inputs, "input") : undefined;
  const inner = only === undefined ? undefined : embedded(only);
  if (inner?.kind === "object") {
    return callArguments(inner);
  }
  // A text of one word may be the argument `input` itself; braces say that it was meant as an object.
  return textOf(inner)?.trim().startsWith("{") === true ? callArguments(inner) : callArguments(inputs);
}
