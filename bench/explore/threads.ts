import type { ProgramThread } from "../../src/explore/schedules/executor-program.js";
import type { Action, AttemptName, Fault } from "../../src/model/vocabulary.js";
import { cancel, changePolicy, request, submit } from "../../src/sut/faulty/witness-steps.js";

/** An attempt from its submission to its end; two copies about the river unless told otherwise. */
export function attempt(
  name: AttemptName,
  text: string = request.river,
  ...faults: readonly Fault[]
): ProgramThread {
  const action = submit(name, text, ...faults);
  if (action.kind !== "submit") throw new Error("a submission is expected");
  return { kind: "attempt", submit: action };
}

/** One change of the policy, to a limit or to none at all. */
export function policy(to: number | "remove"): ProgramThread {
  return surroundings("policy", changePolicy(to));
}

/** One cancel, which is skipped where the attempt cannot be cancelled. */
export function cancelOf(name: AttemptName): ProgramThread {
  return surroundings(`cancel ${name}`, cancel(name));
}

/** Actions of the operator, one after the other, whatever the attempts do. */
export function surroundings(name: string, ...actions: readonly Action[]): ProgramThread {
  return { kind: "surroundings", name, actions };
}
