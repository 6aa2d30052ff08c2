import { decide, type Moment, type ProposedCall } from "./decide.js";
import type { RuleDecision } from "./decision.js";
import { type LedgerKey, ledgerKey, type ReadLedger } from "./ledger-key.js";
import type { EnforcedRule, KeyClaim, RuleSet } from "./rule-set.js";
import { byTool, isOn, type Standing, switchOn } from "./standing.js";
import { fold } from "./words-in-text.js";

export type { ProposedCall } from "./decide.js";
export type { LedgerKey, ReadLedger } from "./ledger-key.js";

/** What became of a call; only the first two can be the first of two transactions. */
export type CallFate = "happened" | "may_have_happened" | "refused" | "nothing_happened";

/** One conversation as far as it got, owned by one caller. A decision costs the same however long that is. */
export type Session = {
  /** Begins a turn; tells the rules that it switched on. */
  readonly user: (text: string) => ReadonlySet<EnforcedRule>;
  /** Changes nothing. */
  readonly decide: (call: ProposedCall, ledger: ReadLedger) => RuleDecision;
  /** Counts a call, refused ones too. */
  readonly note: (call: ProposedCall, what: CallFate) => void;
  readonly isActive: (rule: EnforcedRule) => boolean;
  readonly keys: (call: ProposedCall) => readonly LedgerKey[];
};

type Progress = {
  readonly turn: number;
  readonly heard: ReadonlySet<string>;
  readonly standing: Standing;
  /** How many turns switched something on. */
  readonly changes: number;
};

/**
 * A conversation in which nothing was said yet; with `unknown` there may have been any turns and calls before. A call
 * that comes before anything is said is made in a first turn of its own, without text, as traces have it.
 */
export function beginSession(set: RuleSet, history: "known" | "unknown"): Session {
  let progress: Progress = { turn: 0, heard: new Set(), standing: set.beginning[history], changes: 0 };
  let calls = 0;
  let unnamedIn: Standing | undefined;
  const unread = new Set<KeyClaim>();
  const here = () => (progress.turn === 0 ? nextTurn(set, progress, "").progress : progress);
  const moment = (): Moment => ({ standing: here().standing, calls, unread });
  return {
    user: (text) => {
      const next = nextTurn(set, progress, text);
      progress = next.progress;
      return next.switched;
    },
    decide: (call, ledger) => decide(set, moment(), call, ledger),
    note: (call, what) => {
      progress = here();
      calls += 1;
      const left = what === "happened" || what === "may_have_happened";
      // Whatever else was on when an unnamed call was noted is marked already.
      if (left && (call.tool !== undefined || unnamedIn !== progress.standing)) {
        for (const claim of unreadBy(set, progress.standing, call)) unread.add(claim);
        unnamedIn = call.tool === undefined ? progress.standing : unnamedIn;
      }
    },
    isActive: (rule) => isOn(progress.standing, rule),
    keys: (call) => keysAt(set, here().standing, call),
  };
}

/** The ledger keys that an allowed call has to reserve, sorted, each once; those that cannot be read are left out. */
export function keysOf(session: Session, call: ProposedCall): readonly LedgerKey[] {
  return session.keys(call);
}

function keysAt(set: RuleSet, standing: Standing, call: ProposedCall): readonly LedgerKey[] {
  const keys: LedgerKey[] = [];
  for (const { tool, template } of byTool(set, standing, call.tool).groups) {
    const reading = ledgerKey(tool, template, call.arguments);
    if (reading.kind === "key") {
      keys.push(reading.key);
    }
  }
  return keys.sort();
}

/** The claims that can no longer know whether a later call is the first of its key. */
function unreadBy(set: RuleSet, standing: Standing, call: ProposedCall): readonly KeyClaim[] {
  if (call.tool === undefined) {
    const all = [...set.keyed.values()].flat().flatMap(({ claims }) => claims);
    return all.filter(({ by }) => isOn(standing, by));
  }
  return byTool(set, standing, call.tool).groups.flatMap(({ tool, template, claims }) =>
    ledgerKey(tool, template, call.arguments).kind === "unreadable" ? claims : [],
  );
}

const none: ReadonlySet<EnforcedRule> = new Set();

function nextTurn(
  set: RuleSet,
  before: Progress,
  text: string,
): { readonly progress: Progress; readonly switched: ReadonlySet<EnforcedRule> } {
  const turn = before.turn + 1;
  const news = [...set.words(fold(text))].filter((word) => !before.heard.has(word));
  const heard = news.length === 0 ? before.heard : new Set([...before.heard, ...news]);
  const candidates = [
    ...news.flatMap((word) => set.byWord.get(word) ?? []),
    ...(set.byFirstTurn.get(turn) ?? []),
  ];
  const switched = new Set(
    candidates.filter(
      (rule) =>
        !before.standing.switchedOn.has(rule) &&
        rule.firstTurn <= turn &&
        (rule.words.length === 0 || rule.words.some((word) => heard.has(word))),
    ),
  );
  if (switched.size === 0) {
    return { progress: { ...before, turn, heard }, switched: none };
  }
  const standing = switchOn(set, before.standing, switched, before.changes);
  return { progress: { turn, heard, standing, changes: before.changes + 1 }, switched };
}
