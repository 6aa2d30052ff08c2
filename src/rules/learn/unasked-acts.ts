import type { Trace } from "../trace.js";
import { always, type Draft, type Evidence } from "./candidate.js";
import { confidence, total } from "./confidence.js";
import { keywords } from "./keywords.js";
import { type Step, shown } from "./steps.js";
import { type ToolEffect, toolEffect } from "./tool-effect.js";
import { type IntentReader, intentReader } from "./user-intent.js";
import type { WordLists } from "./word-lists.js";

/**
 * One `forbid_tool` draft for each tool that acts and was called although all that the user had said so far asked for
 * information. Its condition is made of the user's words; without any it stays below what is written to files.
 */
export function unaskedActs(conversations: readonly (readonly Step[])[], lists: WordLists): readonly Draft[] {
  const effectOf = toolEffect(lists);
  const readers = { intent: intentReader(lists), words: keywords(lists) };
  const acts = new Map<string, Act[]>();
  for (const steps of conversations) {
    const [first] = steps;
    const said = first === undefined ? [] : saidUpTo(first.trace, readers);
    for (const step of steps) {
      const effect = effectOf(step.tool);
      const so = said[step.turn - 1];
      if (so !== undefined && (effect === "destructive" || effect === "changing")) {
        const same = acts.get(step.tool) ?? [];
        acts.set(step.tool, same);
        same.push({ step, effect, said: so });
      }
    }
  }
  return [...acts].flatMap(([tool, all]) => draftOf(tool, all));
}

/** What the user has said up to a turn. */
type Said = {
  readonly intent: "reads" | "acts" | "neither";
  /** The latest words, for people. */
  readonly text: string;
  /** Of the turns that ask to know something. */
  readonly direct: readonly string[];
  /** Of the other turns. */
  readonly indirect: readonly string[];
};

type Act = { readonly step: Step; readonly effect: ToolEffect; readonly said: Said };

type Readers = { readonly intent: IntentReader; readonly words: (text: string) => readonly string[] };

/** For each turn; an act that was asked for once stays asked for. */
function saidUpTo(trace: Trace, readers: Readers): readonly Said[] {
  let so: Said = { intent: "neither", text: "", direct: [], indirect: [] };
  return trace.turns.map(({ user }) => {
    const now = readers.intent(user);
    const words = now === "acts" ? [] : readers.words(user);
    so = {
      intent: so.intent === "acts" || now === "neither" ? so.intent : now,
      text: user === "" ? so.text : user,
      direct: now === "reads" ? united(so.direct, words) : so.direct,
      indirect: now === "neither" ? united(so.indirect, words) : so.indirect,
    };
    return so;
  });
}

const mostWords = 8;

function united(words: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...words, ...more])].slice(0, mostWords);
}

function draftOf(tool: string, acts: readonly Act[]): readonly Draft[] {
  const unasked = acts.filter(({ said }) => said.intent === "reads");
  const [first] = unasked;
  if (first === undefined) {
    return [];
  }
  const direct = unasked.map(({ said }) => said.direct).reduce(united);
  const words = direct.length > 0 ? direct : unasked.map(({ said }) => said.indirect).reduce(united);
  const asked = refusedThough(
    acts.filter(({ said }) => said.intent === "acts"),
    words,
  );
  const conversations = new Set(unasked.map(({ step }) => step.trace)).size;
  const sure = total(
    confidence.unasked[first.effect === "destructive" ? "destructive" : "changing"],
    direct.length === 0 ? confidence.indirectWords : 0,
    asked.length > 0 ? confidence.askedElsewhere : 0,
    (conversations - 1) * confidence.seenAgain,
  );
  const what = `${tool} was called although the user had only asked for information.`;
  return [
    {
      description: words.length > 0 ? what : `${what} ${noWords}`,
      when: { ...always, intentAny: words },
      claim: { kind: "forbid_tool", tool },
      confidence: words.length > 0 ? sure : Math.min(sure, confidence.withoutWords),
      evidence: unasked.map(evidenceOf),
      warnings: [words.length > 0 ? staysOn : noWords, ...(asked.length > 0 ? [askedIn(asked)] : [])],
    },
  ];
}

const noWords =
  "This rule has no `when`: it applies always and refuses the tool even where the user asks for it; complete it by hand.";
const staysOn =
  "Once one of the words was said the tool stays refused for the rest of the conversation, even if the user asks for it later.";

/** Those whose conversation had one of the words by then, as the rule would see it. */
function refusedThough(asked: readonly Act[], words: readonly string[]): readonly Act[] {
  const since = new Map<Trace, number>();
  return asked.filter(({ step: { trace, turn } }) => {
    const first =
      since.get(trace) ??
      trace.turns.findIndex(({ user }) => {
        const text = user.normalize("NFC").toLowerCase();
        return words.some((word) => text.includes(word));
      });
    since.set(trace, first);
    return first >= 0 && first < turn;
  });
}

function askedIn(asked: readonly Act[]): string {
  const places = asked.slice(0, 3).map(({ step }) => `${shown(step.trace.name)} turn ${step.turn}`);
  return `It would also refuse calls that the user asked for: ${places.join(", ")}.`;
}

function evidenceOf({ step, said }: Act): Evidence {
  const text =
    `conversation ${shown(step.trace.name)}: ${shown(step.tool)} in turn ${step.turn}, ` +
    `where the user's latest words were ${shown(said.text)}`;
  return { text, at: step.call.at };
}
