import type { Region } from "../rule.js";
import type { Trace, TracedCall, TraceItem, Turn } from "../trace.js";
import type { Span } from "./positioned-json.js";
import type { Told, ToldCall } from "./told.js";

type Read = Pick<Trace, "turns" | "warnings">;
type Warning = Trace["warnings"][number];

/** Cuts a conversation into turns, gives each call the outcome of its answer, and warns of what is no evidence. */
export function turns(told: readonly Told[], regionOf: (span: Span) => Region): Read {
  const outcomes = answeredOutcomes(told);
  const cut: { readonly user: string; readonly at: Region; readonly items: TraceItem[] }[] = [];
  const warnings: Warning[] = [];
  const add = (item: TraceItem, at: Region) => {
    const current = cut.at(-1);
    if (current === undefined) {
      cut.push({ user: "", at, items: [item] });
    } else {
      current.items.push(item);
    }
  };
  told.forEach((entry, index) => {
    switch (entry.kind) {
      case "user":
        cut.push({ user: entry.text, at: regionOf(entry.at), items: [] });
        return;
      case "said": {
        const at = regionOf(entry.at);
        add({ kind: "said", text: entry.text, at }, at);
        return;
      }
      case "called": {
        const call = tracedCall(entry, outcomes.get(index), regionOf(entry.at));
        add({ kind: "called", call }, call.at);
        warnings.push(...unreadable(call));
        return;
      }
      case "answered":
        return;
      case "remark":
        warnings.push({ message: entry.message, at: regionOf(entry.at) });
    }
  });
  return { turns: cut, warnings: [...warnings, ...wholeTraceWarnings(cut)] };
}

function tracedCall(told: ToldCall, answer: TracedCall["outcome"] | undefined, at: Region): TracedCall {
  const outcome = told.outcome === "awaits_answer" ? (answer ?? "unknown") : told.outcome;
  return { tool: told.tool, arguments: told.arguments, outcome, at };
}

function unreadable(call: TracedCall): readonly Warning[] {
  if (call.tool === undefined) {
    return [{ message: "a call without a readable name of its tool; it counts as a call", at: call.at }];
  }
  if (call.arguments.kind === "malformed") {
    const message = `the arguments of this call of ${call.tool} are no JSON object, so they prove nothing`;
    return [{ message, at: call.at }];
  }
  return [];
}

function wholeTraceWarnings(cut: readonly Turn[]): readonly Warning[] {
  const calls = cut.flatMap((turn) =>
    turn.items.flatMap((item) => (item.kind === "called" ? [item.call] : [])),
  );
  const bare = calls.filter((call) => call.arguments.kind === "missing");
  const firstBare = bare[0];
  const first = cut[0];
  return [
    ...(firstBare === undefined
      ? []
      : [
          {
            message: `${bare.length} of ${calls.length} calls have no arguments in this trace; recording them may be an option that was off`,
            at: firstBare.at,
          },
        ]),
    ...(first !== undefined && cut.every((turn) => turn.user === "")
      ? [
          {
            message: "nothing that the user says is in this trace, so no rule with intent_any is active",
            at: first.at,
          },
        ]
      : []),
  ];
}

/** Of the calls that await an answer, by their place in the conversation. */
function answeredOutcomes(told: readonly Told[]): ReadonlyMap<number, TracedCall["outcome"]> {
  const outcomes = new Map<number, TracedCall["outcome"]>();
  const open = new Map<string, number[]>();
  const lists = (entry: { readonly id: string | undefined; readonly tool: string | undefined }) => [
    ...(entry.id === undefined ? [] : [`id ${entry.id}`]),
    ...(entry.tool === undefined ? [] : [`tool ${entry.tool}`]),
    "any",
  ];
  told.forEach((entry, index) => {
    if (entry.kind === "called" && entry.outcome === "awaits_answer") {
      for (const key of lists(entry)) {
        const list = open.get(key) ?? [];
        list.push(index);
        open.set(key, list);
      }
    } else if (entry.kind === "answered") {
      // The most exact way of naming the call only: an id that fits no open call answers nothing.
      const list = open.get(lists(entry)[0] ?? "any") ?? [];
      let latest = list.pop();
      while (latest !== undefined && outcomes.has(latest)) {
        latest = list.pop();
      }
      if (latest !== undefined) {
        outcomes.set(latest, entry.outcome);
      }
    }
  });
  return outcomes;
}
