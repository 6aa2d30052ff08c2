import { goOn, type Passage, say, settle, type Turn } from "../passage.js";

/** Refuses what the tool's contract refuses, with the contract's code. */
export function validate(passage: Passage): Turn {
  const { facts } = passage.attempt;
  return facts.kind === "invalid"
    ? settle(passage, "input_rejected", facts.code)
    : goOn(say(passage, "arguments_valid"));
}
