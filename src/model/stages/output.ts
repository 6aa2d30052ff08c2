import { asking, goOn, type Passage, say, settle, type Turn } from "../passage.js";
import { unreachable } from "../unreachable.js";
import type { SpoiltOutput } from "../vocabulary.js";

/** The value is on its way to the checker. */
export function startOutput(passage: Passage): Turn {
  return goOn(say(passage, "output_started"));
}

/** Judges the value about to be released, on every attempt; a refusal leaves the effect where it is. */
export function judgeOutput(passage: Passage): Turn {
  return asking(passage, "output", () => {
    const spoilt = passage.attempt.faults.find((fault) => fault.kind === "spoilt_output");
    if (spoilt !== undefined) return disposeOf(passage, spoilt);
    return isBad(passage)
      ? settle(passage, "output_rejected", "output_contract")
      : goOn(say(passage, "output_allowed"));
  });
}

/** How often a value may be made anew of the stored result. */
const mostRegenerations = 2;

/** What becomes of a value that is found to be spoilt; whatever it is, the effect stays. */
function disposeOf(passage: Passage, { as, tries }: SpoiltOutput): Turn {
  switch (as) {
    case "format": {
      let judged = passage;
      for (let time = 0; time < Math.min(tries, mostRegenerations); time++)
        judged = say(judged, "output_regenerated");
      return tries > mostRegenerations
        ? settle(judged, "output_rejected", "output_contract")
        : goOn(say(judged, "output_allowed"));
    }
    case "personal":
      return settle(say(passage, "output_allowed"), "accepted", "partial");
    case "question":
      return settle(passage, "clarification_needed", "question");
    case "impact":
      return settle(passage, "escalated", "impact");
    case "secret":
      return settle(passage, "output_rejected", "secret");
    default:
      return unreachable(as);
  }
}

/** Whether the copy to be released is not what the tool promises. */
export function isBad({ attempt }: Passage): boolean {
  return attempt.faults.some(({ kind }) => kind === "bad_output");
}
