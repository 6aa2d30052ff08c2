import { UsageError } from "../../config/usage-error.js";
import { wholeNumber } from "../../config/values.js";
import type { Json } from "../../model/vocabulary.js";
import type { CallContext } from "../../rules/guard/guarding.js";
import type { ToolArguments } from "../../rules/guard/tool-arguments.js";
import { required } from "./required.js";

export type CallFlags = {
  readonly tool?: string;
  readonly arg?: readonly string[];
  readonly args?: string;
  readonly user?: string;
  readonly history?: readonly string[];
  /** False: said to be none. */
  readonly earlierTurns: boolean;
  readonly earlierCalls?: string;
};

/** A call and its conversation, as far as the flags tell of them. */
export type AskedCall = {
  readonly tool: string;
  readonly args: ToolArguments;
  readonly context: CallContext;
};

/** @throws UsageError for flags that say two things at once */
export function askedCall(flags: CallFlags): AskedCall {
  return {
    tool: required(flags.tool, "--tool <name>", "guard"),
    args: argumentsOf(flags),
    context: {
      user: flags.user,
      history: historyOf(flags),
      earlierCalls:
        flags.earlierCalls === undefined
          ? undefined
          : wholeNumber(
              { text: flags.earlierCalls, place: `--earlier-calls ${flags.earlierCalls}` },
              0,
              100_000,
            ),
    },
  };
}

function historyOf({ history, earlierTurns }: CallFlags): readonly string[] | undefined {
  if (history !== undefined && !earlierTurns) {
    throw new UsageError({
      message: "--history tells of earlier turns, and --no-earlier-turns says that there are none",
      nextStep: "Leave one of them out.",
    });
  }
  return earlierTurns ? history : [];
}

/** Undefined where nothing is said of them; text of `--args` that is no JSON object is what the guard is to judge. */
function argumentsOf({ arg, args }: CallFlags): ToolArguments {
  if (arg !== undefined && args !== undefined) {
    throw new UsageError({
      message: "--arg and --args both say what the arguments are",
      nextStep: "Leave one of them out.",
    });
  }
  if (arg === undefined) return args;
  const pairs = arg.map(pairOf);
  const twice = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) < index);
  if (twice !== undefined) {
    throw new UsageError({
      message: `the argument ${twice[0]} is given twice`,
      place: `--arg ${twice[0]}=...`,
    });
  }
  return Object.fromEntries(pairs);
}

function pairOf(text: string): readonly [string, Json] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), argumentValue(text.slice(at + 1))];
  throw new UsageError({ message: `expected name=value, got "${text}"`, place: `--arg ${text}` });
}

/** JSON where it is JSON, otherwise the text itself, so that a plain word needs no quotes within quotes. */
function argumentValue(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
