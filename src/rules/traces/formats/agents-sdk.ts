import { callArguments } from "../call-arguments.js";
import { instant } from "../instant.js";
import { field, firstField, listField, textField, wordField } from "../json-fields.js";
import { type Observed, observedConversations } from "../observed.js";
import type { Positioned } from "../positioned-json.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { tellMessages } from "./any-messages.js";

/**
 * OpenAI Agents SDK: the records that its exporter sends, `trace` and `trace.span`, in a list, in `data` or line by
 * line. Traces of one `group_id` are one conversation. Function spans have no call id; the calls that generation and
 * response spans tell are matched with them by tool and arguments.
 * Source: openai-agents-python, src/agents/tracing/span_data.py and spans.py.
 */
export const agentsSdk: TraceReader = {
  format: "agents_sdk",
  claims: (root) => {
    const records = recordsOf(root);
    const odd = records.findIndex((record) => !kinds.includes(textField(record, "object") ?? ""));
    if (records.length === 0 || odd === 0) {
      return differs('there is no record with `object` "trace" or "trace.span"');
    }
    return odd < 0 ? fits : differs(`record ${odd + 1} is neither "trace" nor "trace.span"`);
  },
  read: (root) => {
    const records = recordsOf(root);
    const groups = new Map(
      records
        .filter((record) => textField(record, "object") === "trace")
        .map((trace) => [textField(trace, "id"), wordField(trace, ["group_id"])]),
    );
    const spans = records.filter((record) => textField(record, "object") === "trace.span");
    return observedConversations(spans.flatMap(observe), (run) => groups.get(run));
  },
};

const kinds = ["trace", "trace.span"];

function recordsOf(root: Positioned): readonly Positioned[] {
  const entries = root.kind === "list" ? root.items : [root];
  return entries.flatMap((entry) => listField(entry, "data") ?? [entry]);
}

function observe(span: Positioned): readonly Observed[] {
  const data = field(span, "span_data");
  const place = { run: textField(span, "trace_id") ?? "", begins: instant(field(span, "started_at")) };
  switch (textField(data, "type")) {
    case "function":
      return [
        {
          ...place,
          shows: {
            kind: "tool",
            call: {
              kind: "called",
              id: undefined,
              tool: wordField(data, ["name"]),
              arguments: callArguments(field(data, "input")),
              outcome: outcomeOf(span, data),
              at: span,
            },
          },
        },
      ];
    case "generation":
    case "response": {
      const response = firstField(data, ["response", "_response"]);
      const given = tellMessages(firstField(data, ["input", "_input"]), "given");
      const gave = tellMessages(field(data, "output") ?? field(response, "output"), "gave");
      return [{ ...place, shows: { kind: "messages", told: [...given, ...gave] } }];
    }
    default:
      return [];
  }
}

/** The exporter writes an empty output as null, so that the end of a span is the better sign of a result. */
function outcomeOf(span: Positioned, data: Positioned | undefined): "done" | "unknown" {
  const ended = firstField(span, ["ended_at"]) ?? field(data, "output");
  return field(span, "error") === undefined && ended !== undefined ? "done" : "unknown";
}
