import { parseStatus } from "../../observed-rows.js";
import { columnsOf } from "../consent/rows.js";
import type { Call } from "../guarded.js";
import { readArguments } from "../stages/validate.js";
import type { Environment } from "../stages.js";
import { isIdempotent } from "../tools/registry.js";
import { type DriverFacts, nextOf } from "./driver.js";

/** Asks the store what became of an attempt and decides by that alone. */
export function drive(
  call: Pick<Call, "context" | "delivery" | "request">,
  environment: Environment,
): "repeats" | "rests" {
  return nextOf(environment.stages.driverFacts(call, environment));
}

export function driverFacts(
  { context, delivery, request }: Pick<Call, "context" | "delivery" | "request">,
  environment: Environment,
): DriverFacts {
  const { store, registry, stages: step, clock } = environment;
  const { tenant, runId, callId, dispatch } = context;
  const call = { tenant, runId, callId };
  const tool = registry.find(dispatch?.tool ?? "");
  const read = tool === undefined ? undefined : readArguments(tool, request);
  const latest = step.latestOf(call, environment);
  const isGranted =
    latest !== undefined &&
    step.isGranted(latest, environment) &&
    !step.isExpired(latest, clock()) &&
    step.isCurrent(latest, step.policy(store)) &&
    step.denial(call, environment) === undefined &&
    step.useOf(call, environment) === undefined;
  return {
    isIdempotent: tool !== undefined && read?.kind === "valid" && isIdempotent(tool, read.args),
    receipt: receiptOf(delivery, call, environment),
    isGranted,
  };
}

function receiptOf(
  delivery: string,
  call: { readonly tenant: string; readonly runId: string; readonly callId: string },
  { store }: Environment,
): DriverFacts["receipt"] {
  const row = store.row("readReceipt", { delivery });
  if (row === undefined) return { kind: "none" };
  const column = columnsOf(row);
  const events = String(column("events"));
  return {
    kind: "written",
    status: parseStatus(column("status")),
    code: String(column("code")),
    showsEffect:
      column("effectExists") === 1 || events.includes("effect_committed") || events.includes("effect_reused"),
    tries: Number(columnsOf(store.row("countTries", call))("tries")),
  };
}
