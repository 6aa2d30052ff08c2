import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../model/vocabulary.js";
import { always, type Draft, type Evidence } from "./candidate.js";
import { confidence, total } from "./confidence.js";
import {
  type IdentifierKind,
  identifierArgument,
  identifierKinds,
  namesAttempt,
} from "./identifier-argument.js";
import { type Step, shown } from "./steps.js";
import { type ToolEffect, toolEffect } from "./tool-effect.js";
import type { WordLists } from "./word-lists.js";

/**
 * One `idempotent` draft for each tool that was called twice in one conversation with the same value of an argument that
 * tells things apart. Calls that are known to have done nothing and tools that only read are left out.
 */
export function repeatedTransactions(
  conversations: readonly (readonly Step[])[],
  lists: WordLists,
): readonly Draft[] {
  const effectOf = toolEffect(lists);
  const byTool = new Map<string, Repeat[]>();
  for (const steps of conversations) {
    for (const [tool, calls] of callsByTool(steps)) {
      const effect = effectOf(tool);
      if (effect !== "read_only") {
        const repeats = byTool.get(tool) ?? [];
        byTool.set(tool, repeats);
        for (const repeat of repeatsIn(calls, effect)) {
          repeats.push(repeat);
        }
      }
    }
  }
  return [...byTool].flatMap(([tool, repeats]) => draftOf(tool, repeats));
}

/** The same value of one argument in several calls of a conversation. */
type Repeat = {
  readonly argument: string;
  readonly kind: IdentifierKind;
  readonly confidence: number;
  readonly evidence: Evidence;
  readonly warnings: readonly string[];
};

function callsByTool(steps: readonly Step[]): ReadonlyMap<string, readonly Step[]> {
  const calls = new Map<string, Step[]>();
  for (const step of steps.filter(({ call }) => call.outcome !== "nothing_happened")) {
    const same = calls.get(step.tool) ?? [];
    calls.set(step.tool, same);
    same.push(step);
  }
  return calls;
}

function repeatsIn(calls: readonly Step[], effect: ToolEffect): readonly Repeat[] {
  const groups = new Map<string, { argument: string; kind: IdentifierKind; calls: Step[] }>();
  for (const step of calls) {
    for (const [argument, value] of Object.entries(step.arguments ?? {})) {
      const kind = identifierArgument(argument, value);
      if (kind !== undefined) {
        // As a key spells it: the text "1" and the number 1 are the same.
        const group = `${JSON.stringify(argument)} ${typeof value === "string" ? value : JSON.stringify(value)}`;
        const known = groups.get(group) ?? { argument, kind, calls: [] };
        groups.set(group, known);
        known.calls.push(step);
      }
    }
  }
  return [...groups.values()].flatMap(({ argument, kind, calls: same }) => {
    const [first, ...later] = same;
    return first === undefined || later.length === 0 ? [] : repeatOf(argument, kind, first, later, effect);
  });
}

function repeatOf(
  argument: string,
  kind: IdentifierKind,
  first: Step,
  later: readonly Step[],
  effect: ToolEffect,
): readonly Repeat[] {
  const differing = differingArguments(first, later, argument);
  const otherIds = differing.filter((name) => isOtherIdentifier(name, first));
  if (kind === "owner" && otherIds.length > 0) {
    // The same person twice, about two things.
    return [];
  }
  const against = [
    difference(argument, differing, otherIds, first, effect),
    ...([first, ...later.slice(0, -1)].some(({ call }) => call.outcome === "done") ? [] : [mayBeRetry]),
  ];
  const sure = total(
    confidence.repeated[kind],
    effect === "destructive" ? confidence.destructiveTool : 0,
    ...against.map(({ weight }) => weight),
  );
  const warnings = against.flatMap(({ warning }) => (warning === "" ? [] : [warning]));
  return [{ argument, kind, confidence: sure, evidence: evidenceOf(argument, first, later), warnings }];
}

/** What speaks against a candidate. */
type Against = { readonly weight: number; readonly warning: string };

const mayBeRetry: Against = {
  weight: confidence.unknownOutcome,
  warning: "No earlier call is known to have worked: the repeat may be a retry after a failure.",
};

function difference(
  argument: string,
  differing: readonly string[],
  otherIds: readonly string[],
  first: Step,
  effect: ToolEffect,
): Against {
  if (otherIds.length > 0) {
    const warning = differs(otherIds, "each may be a transaction of its own; add it to the key");
    return { weight: confidence.otherIdentifier, warning };
  }
  // Another reason or note makes no second refund.
  const telling =
    effect === "destructive" ? differing.filter((name) => isAmount(first.arguments?.[name])) : differing;
  if (telling.length === 0) {
    return { weight: 0, warning: "" };
  }
  return {
    weight: effect === "destructive" ? confidence.otherAmount : confidence.otherArguments,
    warning: differs(
      telling,
      `the second would be refused for its ${argument}; if both are right, add it to the key`,
    ),
  };
}

function differs(names: readonly string[], why: string): string {
  return `The calls differ in ${names.join(", ")}: ${why}.`;
}

function differingArguments(first: Step, later: readonly Step[], but: string): readonly string[] {
  const names = new Set([first, ...later].flatMap((step) => Object.keys(step.arguments ?? {})));
  return [...names].filter(
    (name) =>
      name !== but &&
      !namesAttempt(name) &&
      later.some((step) => !isDeepStrictEqual(step.arguments?.[name], first.arguments?.[name])),
  );
}

function isOtherIdentifier(name: string, step: Step): boolean {
  const kind = identifierArgument(name, step.arguments?.[name] ?? null);
  return kind === "transaction" || kind === "identifier";
}

function isAmount(value: Json | undefined): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[^\p{L}\d]*\d[\d.,]*$/u.test(value));
}

function evidenceOf(argument: string, first: Step, later: readonly Step[]): Evidence {
  const value = shown(first.arguments?.[argument] ?? null);
  const turns = later.map((step) => step.turn).join(", ");
  const text =
    `conversation ${shown(first.trace.name)}: ${shown(first.tool)} in turn ${first.turn} ` +
    `and again in turn ${turns} with ${argument} ${value}`;
  return { text, at: (later[0] ?? first).call.at };
}

/** The best argument of a tool is its key; evidence about others is left out. */
function draftOf(tool: string, repeats: readonly Repeat[]): readonly Draft[] {
  const [best] = [...repeats].sort(
    (one, other) =>
      other.confidence - one.confidence ||
      identifierKinds.indexOf(one.kind) - identifierKinds.indexOf(other.kind),
  );
  if (best === undefined) {
    return [];
  }
  const same = repeats.filter((repeat) => repeat.argument === best.argument);
  return [
    {
      description: `${tool} was called again with the same ${best.argument}; one ${best.argument} allows one call.`,
      when: always,
      claim: { kind: "idempotent", tool, key: `\${${best.argument}}` },
      confidence: total(best.confidence, (same.length - 1) * confidence.seenAgain),
      evidence: same.map((repeat) => repeat.evidence),
      warnings: [...new Set(same.flatMap((repeat) => repeat.warnings))],
    },
  ];
}
