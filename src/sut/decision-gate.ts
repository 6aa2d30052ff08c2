import type { Decision, DecisionAnswer, DecisionName, DecisionPoint } from "../model/vocabulary.js";
import { Severed } from "./gate.js";
import type { DecisionProgress } from "./port.js";

/** The executor's side of a decision under way. */
export type DecisionHooks = {
  /** Awaited before the handler opens its transaction. */
  readonly stop: () => Promise<void>;
  /** Called synchronously at ▲; a throw ends the handler there. */
  readonly point: (at: DecisionPoint) => void;
};

export type DecisionGate = {
  readonly decide: (
    decision: Decision,
    pace: "at_once" | "held",
    handle: (hooks: DecisionHooks) => Promise<DecisionAnswer>,
  ) => Promise<DecisionProgress>;
  readonly settle: (name: DecisionName) => Promise<DecisionProgress>;
  /** Settles with a kill waiting at a point; undefined if it struck. */
  readonly settleInto: (name: DecisionName, at: DecisionPoint) => Promise<DecisionProgress | undefined>;
  /** Abandons every decision under way. */
  readonly abandon: () => void;
};

type Held = {
  resume: (() => void) | undefined;
  kill: DecisionPoint | undefined;
  state: "live" | "dead";
  readonly announce: { notify: ((stop: DecisionProgress | undefined) => void) | undefined };
};

/** Holds decisions where their handler stops; a kill acts at its points and nowhere else. */
export function createDecisionGate({
  budgetMs,
  kill,
}: {
  /** Real time that a handler may take to its next stop. */
  readonly budgetMs: number;
  /** Cuts the store, as a kill would, and abandons everything. */
  readonly kill: () => void;
}): DecisionGate {
  const decisions = new Map<DecisionName, Held>();

  /** Sets a decision in motion and waits until it is held, answered or killed. */
  const move = async (
    name: DecisionName,
    held: Held,
    go: () => void,
  ): Promise<DecisionProgress | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const stop = new Promise<DecisionProgress | undefined>((resolve, reject) => {
      held.announce.notify = resolve;
      const late = `decision ${name} was neither held nor answered within ${budgetMs} ms`;
      timer = setTimeout(() => reject(new Error(late)), budgetMs);
    });
    go();
    try {
      return await stop;
    } finally {
      clearTimeout(timer);
    }
  };

  const hooksOf = (held: Held, pace: "at_once" | "held"): DecisionHooks => ({
    stop: () => {
      if (pace === "at_once") return Promise.resolve();
      return new Promise<void>((resolve) => {
        held.resume = resolve;
        held.announce.notify?.({ kind: "held" });
      });
    },
    point: (at) => {
      if (held.state === "dead") throw new Severed();
      if (held.kill !== at) return;
      kill();
      held.announce.notify?.(undefined);
      throw new Severed();
    },
  });

  const resume = async (
    name: DecisionName,
    at: DecisionPoint | undefined,
  ): Promise<DecisionProgress | undefined> => {
    const held = decisions.get(name);
    const go = held?.resume;
    if (held === undefined || go === undefined) throw new Error(`decision ${name} is not held`);
    held.resume = undefined;
    held.kill = at;
    return move(name, held, go);
  };

  return {
    decide: async (decision, pace, handle) => {
      const held: Held = {
        resume: undefined,
        kill: undefined,
        state: "live",
        announce: { notify: undefined },
      };
      decisions.set(decision.decision, held);
      const settled = (answer: DecisionAnswer): void => {
        if (held.state === "live") held.announce.notify?.({ kind: "answered", answer });
      };
      const stop = await move(decision.decision, held, () => {
        handle(hooksOf(held, pace)).then(settled, () => settled({ kind: "unknown" }));
      });
      if (stop === undefined) throw new Error(`decision ${decision.decision} was killed unasked`);
      return stop;
    },
    settle: async (name) => {
      const stop = await resume(name, undefined);
      if (stop === undefined) throw new Error(`decision ${name} was killed unasked`);
      return stop;
    },
    settleInto: resume,
    abandon: () => {
      for (const held of decisions.values()) held.state = "dead";
    },
  };
}
