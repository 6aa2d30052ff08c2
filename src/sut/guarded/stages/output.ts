import type { Json } from "../../../model/vocabulary.js";
import { readAnswer } from "../../ledger/guards.js";
import { Refusal } from "../../ledger/refusals.js";
import type { Disposition } from "../output/disposition.js";
import { type Ending, type Passage, validated } from "../passage.js";
import type { Environment } from "../stages.js";

/** How often a value may be made anew of the stored result. */
export const mostRegenerations = 2;

/** Judges each value that is made of the stored result as itself; whatever it comes to, the effect stays. */
export async function passOutput(passage: Passage, stored: Json, environment: Environment): Promise<Ending> {
  const { stages: step } = environment;
  const { hooks } = passage.call;
  passage.events.push("output_started");
  let value = hooks.returned(stored);
  await step.stop(passage, "output_check", environment);
  for (let regenerations = 0; ; regenerations++) {
    const judged = value;
    const disposition = await readAnswer(
      () => hooks.ask("output", () => step.dispose(passage, judged, environment)),
      hooks.patience("output"),
      isDisposition,
    );
    if (disposition.kind !== "regenerate") return step.settleOutput(passage, judged, disposition);
    if (!step.mayRegenerate(passage, regenerations)) throw new Refusal("output_rejected", "output_contract");
    passage.events.push("output_regenerated");
    value = hooks.returned(stored);
  }
}

/** Ends the attempt as the disposition asks for. */
export function settleOutput(
  passage: Passage,
  value: Json,
  disposition: Exclude<Disposition, { kind: "regenerate" }>,
): Ending {
  switch (disposition.kind) {
    case "whole":
      passage.events.push("output_allowed");
      return { kind: "finished", status: "accepted", code: "ok", released: value };
    case "partial":
      passage.events.push("output_allowed");
      passage.withheld = disposition.withheld;
      return { kind: "finished", status: "accepted", code: "partial", released: disposition.value };
    case "clarify":
      return {
        kind: "finished",
        status: "clarification_needed",
        code: "question",
        released: disposition.question,
      };
    case "escalate":
      throw new Refusal("escalated", "impact");
    case "block":
      throw new Refusal("output_rejected", disposition.code);
  }
}

export function dispose(passage: Passage, value: Json, { judgeOutput }: Environment): Disposition {
  const { tool, args } = validated(passage);
  return judgeOutput(value, tool.result(args));
}

export function mayRegenerate(_passage: Passage, regenerations: number): boolean {
  return regenerations < mostRegenerations;
}

function isDisposition(value: unknown): value is Disposition {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  const { kind } = value;
  return ["whole", "regenerate", "partial", "clarify", "escalate", "block"].some((known) => known === kind);
}
