import type { Command } from "commander";
import { nearest } from "../../config/nearest.js";
import { UsageError } from "../../config/usage-error.js";
import { version } from "../../config/version.js";
import { type GuardAnswer, guardJson, guardText } from "../../report/rules/guard-answer.js";
import type { Language } from "../../report/rules/labels.js";
import { createSyncGuard } from "../../rules/guard/guard.js";
import type { CallWarning, GuardDecision } from "../../rules/guard/guarding.js";
import { LedgerBusy } from "../../rules/guard/ledger-busy.js";
import { NotSettled } from "../../rules/guard/not-settled.js";
import type { SyncReservationStore } from "../../rules/guard/reservation-store.js";
import { ToolBlocked } from "../../rules/guard/tool-blocked.js";
import type { LedgerKey } from "../../rules/ledger-key.js";
import { rulesList } from "../../rules/load/rules-list.js";
import type { Rule, Severity } from "../../rules/rule.js";
import { exitCodes } from "../exit-codes.js";
import { deliver, readReportersAmong } from "../reporters.js";
import { note, type Session } from "../session.js";
import { collected, type Verb } from "../verb.js";
import { type AskedCall, askedCall, type CallFlags } from "./asked-call.js";
import { ledgerHere, readable } from "./ledger-here.js";
import { languageOf, optionHelp, severitiesOf, soundRules } from "./rules-here.js";

type Flags = CallFlags & {
  readonly rules?: readonly string[];
  readonly store?: string;
  readonly record?: boolean;
  readonly enforceSeverity?: string;
  readonly lang?: string;
  readonly reporter?: readonly string[];
};

/** `rules guard`: what the guard would say to a call. */
export function addRulesGuard(rules: Command, verb: Verb): void {
  const command = rules
    .command("guard")
    .description("ask whether a call may run; writes nothing without --record")
    .option("--tool <name>", "the tool that is to be called; required")
    .option("--arg <name=value>", "one argument, JSON or else text; repeatable", collected)
    .option("--args <json>", "all arguments as one JSON object")
    .option("--user <text>", "what the user said in this turn")
    .option(
      "--history <text>",
      "what the user said in an earlier turn, the earliest first; repeatable",
      collected,
    )
    .option("--no-earlier-turns", "there were no earlier turns")
    .option("--earlier-calls <n>", "how many calls the conversation has had")
    .option("--store <ledger>", "ledger of earlier calls: a JSON file, or sqlite:<file>")
    .option("--record", "if it is allowed, write the call into the ledger as done")
    .option("--rules <path...>", optionHelp.rules)
    .option("--enforce-severity <list>", optionHelp.severity)
    .option("--lang <language>", optionHelp.lang)
    .option("--reporter <name[:file]>", "terminal or json; repeatable", collected);
  verb(command, async (session) => runGuard(session, command.opts<Flags>()));
}

function runGuard(session: Session, flags: Flags): number {
  const { stderr } = session.io;
  const language = languageOf(flags.lang);
  const severities = severitiesOf(flags.enforceSeverity);
  const reporters = readReportersAmong(session, flags.reporter, ["terminal", "json"]);
  const call = askedCall(flags);
  checkRecord(flags);
  const rules = soundRules(session, flags.rules);
  const place = `--store ${flags.store}`;
  let answer: GuardAnswer;
  try {
    const store = ledgerHere(session, flags.store, flags.record === true ? "record" : "ask");
    try {
      const asked = readable(place, () =>
        ask(call, { rules, severities, store, record: flags.record === true }),
      );
      answer = { ...asked, ...guardedTools(call.tool, rules, severities) };
    } finally {
      store.close();
    }
  } catch (error) {
    if (!(error instanceof LedgerBusy || error instanceof NotSettled)) throw error;
    stderr.write(`error: ${error.message}\n`);
    return exitCodes.undecided;
  }
  for (const { message } of answer.warnings) stderr.write(`warning: ${message}\n`);
  const unwritten = deliver(session, reporters, rendered(answer, language));
  for (const line of unwritten) stderr.write(`error: not written: ${line}\n`);
  tellWhatWasWritten(session, flags, answer);
  const code = guardCode(answer);
  return code === exitCodes.holds && unwritten.length > 0 ? exitCodes.undecided : code;
}

function rendered(answer: GuardAnswer, language: Language) {
  return {
    terminal: (canvas: Parameters<typeof guardText>[1]) => guardText(answer, canvas, language),
    json: () => guardJson(answer, { version }),
  };
}

function checkRecord({ record, store }: Flags): void {
  if (record !== true || store !== undefined) return;
  throw new UsageError({
    message: "--record has nowhere to write to: without --store the ledger ends with this command",
    place: "--record",
    nextStep: "Name a ledger: --store ledger.json, or --store sqlite:ledger.db.",
  });
}

type Asking = {
  readonly rules: readonly Rule[];
  readonly severities: readonly Severity[];
  readonly store: SyncReservationStore;
  readonly record: boolean;
};

/** To record a call is to execute one that does nothing: its keys are reserved and settled as those of any other. */
function ask({ tool, args, context }: AskedCall, { rules, severities, store, record }: Asking) {
  const recorded: LedgerKey[] = [];
  const watched: SyncReservationStore = {
    ...store,
    settle: (key, holder, state) => {
      store.settle(key, holder, state);
      recorded.push(key);
    },
  };
  const guard = createSyncGuard({ rules, store: watched, enforceSeverity: severities });
  const asked = guard.check(tool, args, context);
  const answer = { tool, decision: asked.decision, warnings: asked.warnings.map(asFlags), recorded };
  if (!record) return answer;
  try {
    guard.execute(tool, args, () => undefined, context);
    return answer;
  } catch (error) {
    if (error instanceof ToolBlocked) return { ...answer, decision: error.decision };
    throw error;
  }
}

const flagFor: Readonly<Record<CallWarning["code"], string>> = {
  no_history:
    "the earlier turns are not known, and rules depend on them; give each with --history, or say --no-earlier-turns",
  calls_not_counted: "max_tool_calls takes this for the first call of its conversation; give --earlier-calls",
};

/** The same advice in the words of the command line. */
function asFlags({ code }: GuardDecision["warnings"][number]): CallWarning {
  return { code, message: flagFor[code] };
}

function guardedTools(
  tool: string,
  rules: readonly Rule[],
  severities: readonly Severity[],
): Pick<GuardAnswer, "guardedTools" | "meant"> {
  const rows = rulesList(rules, severities).rows.filter(({ runtime }) => runtime === "enforced");
  const tools = [...new Set(rows.flatMap((row) => row.tools))].sort();
  return { guardedTools: tools, meant: nearest(tool, tools) };
}

function tellWhatWasWritten(session: Session, { record, store }: Flags, answer: GuardAnswer): void {
  const { decision, recorded } = answer;
  if (record !== true) {
    note(session, "nothing was written: this only asked; --store and --record write an allowed call down");
  } else if (decision.verdict !== "allow") {
    note(session, "nothing was written: the call is not allowed");
  } else if (recorded.length === 0) {
    note(session, "nothing was written: no idempotent rule that is active here is about this call");
  } else {
    note(session, `written to ${store} as done: ${recorded.join(", ")}`);
  }
}

function guardCode({ decision }: GuardAnswer): number {
  switch (decision.verdict) {
    case "allow":
      return exitCodes.holds;
    case "block":
      return exitCodes.violated;
    case "inconclusive":
      return exitCodes.undecided;
  }
}
