import type { Action } from "../../../model/vocabulary.js";
import type { PromiseId } from "../../../properties/verdict.js";
import type { RuledVariant } from "../../ruled/system.js";

/** The sound ruled executor with one mistake made in it, and what the harness must say of it. */
export type RuledBug = {
  /** In kebab-case; also the name of its file. */
  readonly name: string;
  /** What the executor does wrong, in one sentence. */
  readonly says: string;
  /** A campaign must find one of these broken. */
  readonly caughtBy: readonly PromiseId[];
  /** The shortest list of actions known to show it, on a store that starts with a limit of 3. */
  readonly witness: readonly Action[];
  readonly variant: RuledVariant;
};
