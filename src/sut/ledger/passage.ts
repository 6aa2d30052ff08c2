import type { Code, CrashPoint, Json, StageEvent, Status } from "../../model/vocabulary.js";
import type { DraftArguments } from "./arguments.js";
import type { Policy } from "./guards.js";
import type { Call } from "./ledger.js";
import { Failure } from "./refusals.js";

/** One attempt on its way through the pipeline; mutable, owned by the call. */
export type Passage = {
  readonly call: Call;
  readonly events: StageEvent[];
  args: DraftArguments | undefined;
  digest: string;
  snapshot: Policy | undefined;
  /** Where the attempt last stopped: the code of an error nobody foresaw. */
  place: Code;
};

export type Ending =
  | { readonly kind: "finished"; readonly status: Status; readonly code: Code; readonly released: Json }
  | { readonly kind: "cancelled"; readonly reason: unknown };

/** Announces a crash point; a throw there is an error at that place. */
export function announce(passage: Passage, point: CrashPoint): void {
  passage.place = point;
  passage.call.hooks.crashPoint(point);
}

export function finished(status: Status, code: Code): Ending {
  return { kind: "finished", status, code, released: null };
}

export function validated(passage: Passage): DraftArguments {
  if (passage.args === undefined) throw new Failure("unforeseen");
  return passage.args;
}
