import type { TracedArguments } from "../../trace.js";
import { callArguments } from "../call-arguments.js";
import { instant } from "../instant.js";
import { embedded, field, firstField, itemsOf, listField, textField, wordField } from "../json-fields.js";
import { type Observed, observedConversations } from "../observed.js";
import type { Positioned } from "../positioned-json.js";
import type { Told, ToldCall } from "../told.js";
import { differs, fits, type TraceReader } from "../trace-reader.js";
import { tellMessages } from "./any-messages.js";

/**
 * Langfuse exports: traces with their `observations`, or observations alone, in a list, in `data` or line by line. Traces
 * of one `sessionId` are one conversation. A trace without observations of type TOOL (older SDKs have none) has its
 * calls in SPANs: those named like a tool that a model asked for, or, where no model call tells any, those without
 * observations of their own; a warning says so.
 * Source: the public API, https://api.reference.langfuse.com, and the export of the user interface.
 */
export const langfuse: TraceReader = {
  format: "langfuse",
  claims: (root) => {
    const entries = entriesOf(root);
    if (entries.length === 0) {
      return differs("there are no traces and no observations");
    }
    const odd = entries.findIndex((entry) => !isTrace(entry) && !isObservation(entry));
    return odd < 0
      ? fits
      : differs(`entry ${odd + 1} has neither \`observations\` nor \`traceId\` and a type`);
  },
  read: (root) => {
    const entries = entriesOf(root);
    const sessions = new Map<string, string>();
    const runs = new Map<string, { trace: Positioned | undefined; observations: Positioned[] }>();
    for (const entry of entries) {
      const trace = isTrace(entry) ? (field(entry, "trace") ?? entry) : undefined;
      const run = (trace === undefined ? textField(entry, "traceId") : textField(trace, "id")) ?? "";
      const session = wordField(trace ?? entry, ["sessionId"]);
      if (session !== undefined) {
        sessions.set(run, session);
      }
      const known = runs.get(run) ?? { trace, observations: [] };
      known.observations.push(...(trace === undefined ? [entry] : (listField(entry, "observations") ?? [])));
      runs.set(run, known);
    }
    const spans = [...runs].flatMap(([run, { trace, observations }]) => observeRun(run, trace, observations));
    return observedConversations(spans, (run) => sessions.get(run));
  },
};

const types = [
  "SPAN",
  "GENERATION",
  "EVENT",
  "EMBEDDING",
  "AGENT",
  "TOOL",
  "CHAIN",
  "RETRIEVER",
  "EVALUATOR",
  "GUARDRAIL",
];

function entriesOf(root: Positioned): readonly Positioned[] {
  const entries = root.kind === "list" ? root.items : [root];
  return entries.flatMap((entry) => listField(entry, "data") ?? [entry]);
}

function isTrace(entry: Positioned): boolean {
  // The list of traces in the public API has ids there, which would read as a trace without calls.
  return listField(entry, "observations")?.every((each) => each.kind === "object") === true;
}

function isObservation(entry: Positioned): boolean {
  return textField(entry, "traceId") !== undefined && types.includes(typeOf(entry));
}

function typeOf(observation: Positioned): string {
  return textField(observation, "type")?.toUpperCase() ?? "";
}

function observeRun(
  run: string,
  trace: Positioned | undefined,
  observations: readonly Positioned[],
): readonly Observed[] {
  const isCall = callTest(observations);
  const guessed = observations.find((observation) => typeOf(observation) === "SPAN" && isCall(observation));
  const remarks: readonly Told[] =
    guessed === undefined
      ? []
      : [
          {
            kind: "remark",
            message: "nothing here is of type TOOL, so spans are taken as calls",
            at: guessed,
          },
        ];
  const whole: readonly Observed[] =
    trace === undefined
      ? []
      : [
          {
            run,
            begins: instant(field(trace, "timestamp")),
            shows: {
              kind: "whole_run",
              given: tellMessages(field(trace, "input"), "given"),
              gave: tellMessages(field(trace, "output"), "gave"),
            },
          },
        ];
  return [
    ...whole,
    ...observations.flatMap((observation): readonly Observed[] => {
      const place = { run, begins: instant(field(observation, "startTime")) };
      if (isCall(observation)) {
        return [{ ...place, shows: { kind: "tool", call: toolCall(observation) } }];
      }
      return typeOf(observation) === "GENERATION"
        ? [{ ...place, shows: { kind: "messages", told: generationMessages(observation) } }]
        : [];
    }),
    ...(remarks.length === 0
      ? []
      : [{ run, begins: undefined, shows: { kind: "messages", told: remarks } } satisfies Observed]),
  ];
}

function generationMessages(generation: Positioned): readonly Told[] {
  return [
    ...tellMessages(field(generation, "input"), "given"),
    ...tellMessages(field(generation, "output"), "gave"),
  ];
}

function callTest(observations: readonly Positioned[]): (observation: Positioned) => boolean {
  if (observations.some((observation) => typeOf(observation) === "TOOL")) {
    return (observation) => typeOf(observation) === "TOOL";
  }
  const asked = new Set(
    observations
      .filter((observation) => typeOf(observation) === "GENERATION")
      .flatMap(generationMessages)
      .flatMap((told) => (told.kind === "called" && told.tool !== undefined ? [told.tool] : [])),
  );
  if (asked.size > 0) {
    return (observation) => typeOf(observation) === "SPAN" && asked.has(textField(observation, "name") ?? "");
  }
  const parents = new Set(
    observations.flatMap((observation) => textField(observation, "parentObservationId") ?? []),
  );
  return (observation) => typeOf(observation) === "SPAN" && !parents.has(textField(observation, "id") ?? "");
}

function toolCall(observation: Positioned): ToldCall {
  const failed = textField(observation, "level") === "ERROR";
  const ended = firstField(observation, ["output", "endTime"]) !== undefined;
  return {
    kind: "called",
    id: wordField(field(observation, "metadata"), ["tool_call_id"]),
    tool: wordField(observation, ["name"]),
    arguments: toolArguments(field(observation, "input")),
    outcome: failed || !ended ? "unknown" : "done",
    at: observation,
  };
}

/** The Python decorator records the arguments of a function as `args` and `kwargs`. */
function toolArguments(input: Positioned | undefined): TracedArguments {
  const inner = input === undefined ? undefined : embedded(input);
  const named = field(inner, "kwargs");
  const isDecorated =
    inner?.kind === "object" && inner.fields.size === 2 && listField(inner, "args") !== undefined;
  return callArguments(
    isDecorated && named !== undefined && itemsOf(field(inner, "args")).length === 0 ? named : inner,
  );
}
