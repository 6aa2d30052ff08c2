import { asking, goOn, type Passage, say, settle, type Turn } from "../passage.js";

/** The value is on its way to the checker. */
export function startOutput(passage: Passage): Turn {
  return goOn(say(passage, "output_started"));
}

/** Judges the value about to be released, on every attempt; a refusal leaves the effect where it is. */
export function judgeOutput(passage: Passage): Turn {
  return asking(passage, "output", () =>
    isBad(passage)
      ? settle(passage, "output_rejected", "output_contract")
      : goOn(say(passage, "output_allowed")),
  );
}

/** Whether the copy to be released is not what the tool promises. */
export function isBad({ attempt }: Passage): boolean {
  return attempt.faults.some(({ kind }) => kind === "bad_output");
}
