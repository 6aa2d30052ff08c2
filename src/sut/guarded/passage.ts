import type {
  Code,
  CrashPoint,
  Dispatch,
  GuardLayer,
  Json,
  RequestRow,
  StageEvent,
  Status,
} from "../../model/vocabulary.js";
import { Failure } from "../ledger/refusals.js";
import type { Call } from "./guarded.js";
import type { LayerDecision, Layers } from "./layer-decision.js";
import type { GuardedTool, ToolArguments } from "./tools/registry.js";

export type GuardedPolicy = {
  readonly revision: number;
  readonly maxCopies: number;
  readonly approval: string;
};

/** One attempt on its way through the pipeline; mutable, owned by the call. */
export type Passage = {
  readonly call: Call;
  readonly dispatch: Dispatch;
  readonly events: StageEvent[];
  readonly layers: Layers;
  tool: GuardedTool | undefined;
  args: ToolArguments | undefined;
  digest: string;
  snapshot: GuardedPolicy | undefined;
  /** The request for approval by whose grant the attempt goes on. */
  matched: RequestRow | undefined;
  /** Kinds of what was withheld from the caller. */
  withheld: readonly string[];
  /** Where the attempt last stopped: the code of an error nobody foresaw. */
  place: Code;
};

/** What a call is named by. */
export type CallRow = { readonly tenant: string; readonly runId: string; readonly callId: string };

export type Ending =
  | { readonly kind: "finished"; readonly status: Status; readonly code: Code; readonly released: Json }
  | { readonly kind: "cancelled"; readonly reason: unknown };

export function callOf({ call }: Pick<Passage, "call">): CallRow {
  const { tenant, runId, callId } = call.context;
  return { tenant, runId, callId };
}

/** Announces a crash point; a throw there is an error at that place. */
export function announce(passage: Passage, point: CrashPoint): void {
  passage.place = point;
  passage.call.hooks.crashPoint(point);
}

export function finished(status: Status, code: Code): Ending {
  return { kind: "finished", status, code, released: null };
}

/** Tool and arguments of an attempt that has been validated. */
export function validated({ tool, args }: Passage): {
  readonly tool: GuardedTool;
  readonly args: ToolArguments;
} {
  if (tool === undefined || args === undefined) throw new Failure("unforeseen");
  return { tool, args };
}

/** Notes what a layer answered in this attempt. */
export function note(
  { call, layers }: Passage,
  layer: GuardLayer,
  action: LayerDecision["action"],
  reason: string,
  evidence: readonly string[] = [],
): void {
  const policyId = `${layer}.${reason}.v1`;
  layers.set(layer, { action, reason, policyId, evidence, correlationId: call.delivery });
}
