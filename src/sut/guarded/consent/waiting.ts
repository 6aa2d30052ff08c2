import { isDeepStrictEqual } from "node:util";
import type { RequestRow } from "../../../model/vocabulary.js";
import type { Environment } from "../stages.js";
import { parseRequest } from "./rows.js";

/** The requests that still wait for an answer or for their call: each call's latest, neither used nor refused. */
export function waitingRequests(environment: Environment): readonly RequestRow[] {
  const { store, stages: step } = environment;
  const requests = store.rows("readAllRequests").map(parseRequest);
  const latest = new Map(
    requests.map((request) => [`${request.tenant}\n${request.runId}\n${request.callId}`, request]),
  );
  return [...latest.values()].filter(
    (call) =>
      store.row("readUse", callKey(call)) === undefined &&
      step.denial(callKey(call), environment) === undefined,
  );
}

/** What waits, written out so that somebody else can carry it: it points at rows and is an authority for nothing. */
export function writeOut(environment: Environment): string {
  return JSON.stringify(environment.stages.waiting(environment));
}

/** Whether a text tells exactly what waits, as the store has it. */
export function restore(text: string, environment: Environment): "restored" | "refused" {
  const waiting: unknown = JSON.parse(JSON.stringify(environment.stages.waiting(environment)));
  try {
    return isDeepStrictEqual(JSON.parse(text), waiting) ? "restored" : "refused";
  } catch {
    return "refused";
  }
}

function callKey({ tenant, runId, callId }: RequestRow): { tenant: string; runId: string; callId: string } {
  return { tenant, runId, callId };
}
