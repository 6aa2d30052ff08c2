import type { Consent, Observation, ReservationRow } from "../model/vocabulary.js";
import type { ConsentRows, World } from "../model/world.js";

/** How machine and store stand after a step, one fact a line: what both hold is the same line in both. */
export type Standing = { readonly machine: readonly string[]; readonly store: readonly string[] };

/** Lines of the machine's world beside those of the store as it was last read. */
export function standing(world: World, observation: Observation | undefined): Standing {
  return { machine: worldLines(world), store: storeLines(observation) };
}

function worldLines(world: World): readonly string[] {
  return [
    policyLine(world.policy),
    ...world.effects.map(effectLine),
    ...world.receipts.map((receipt) => receiptLine(receipt, receipt.attempt)),
    ...consentLines(world.consent),
    ...world.consent.escalations.map(({ layer, attempt }) => escalationLine(layer, attempt)),
    ...world.attempts.map(({ name, place }) => {
      if (place.kind === "parked") return `${name} parked at ${place.at}`;
      return place.kind === "blocked" ? `${name} blocked on ${place.on}` : `${name} ${place.kind}`;
    }),
    ...world.held.map(({ decision, request }) => `${decision} held, on request ${request}`),
    ...world.reservations.map((row) => reservationLine(row, row.attempt)),
    ...(world.profile.abilities.includes("clock") ? [`clock at ${world.clock}`] : []),
    `executor ${world.executor}`,
  ];
}

function storeLines(observation: Observation | undefined): readonly string[] {
  if (observation === undefined) return ["nothing was observed"];
  const { consent } = observation;
  return [
    policyLine(observation.policy),
    ...observation.effects.map(effectLine),
    ...observation.receipts.map((receipt) => receiptLine(receipt, attemptOf(receipt.delivery))),
    ...(observation.reservations ?? []).map((row) => reservationLine(row, attemptOf(row.delivery))),
    ...(consent === undefined ? [] : consentLines(consent)),
    ...(consent?.escalations ?? []).map(({ layer, delivery }) => escalationLine(layer, attemptOf(delivery))),
  ];
}

/** The harness gives each delivery the name of its attempt. */
function attemptOf(delivery: string): string {
  return delivery.replace(/^d-/, "");
}

function policyLine(policy: Observation["policy"]): string {
  if (policy.kind === "missing") return "policy missing";
  const approval = policy.approval === undefined ? "" : `, approval ${policy.approval}`;
  return `policy revision ${policy.revision}, at most ${policy.maxCopies} copies${approval}`;
}

/** An effect without a business key is known by its call. */
function effectLine(effect: World["effects"][number]): string {
  const { tenant, tool, key, digest, revision, runId, callId } = effect;
  const name = key === "" ? `${tool} of ${runId}/${callId}` : key;
  return `effect ${tenant}/${name} ${digest.slice(0, 8)} under revision ${revision}`;
}

function receiptLine(
  receipt: Pick<Observation["receipts"][number], "number" | "status" | "code" | "effectExists">,
  attempt: string,
): string {
  const { number, status, code, effectExists } = receipt;
  return `receipt ${number} of ${attempt}: ${status}/${code}, effect ${effectExists ? "exists" : "absent"}`;
}

function reservationLine(
  { tenant, key, state }: Pick<ReservationRow, "tenant" | "key" | "state">,
  attempt: string,
): string {
  return `reservation ${tenant}/${key} of ${attempt}: ${state}`;
}

function consentLines({ steps, requests, decisions, uses }: Consent | ConsentRows): readonly string[] {
  return [
    ...steps.map((row) => {
      const instead = row.replaces === "none" ? "" : ` in place of ${row.replaces}`;
      return `step ${row.step} begun by ${callName(row)}${instead}`;
    }),
    ...requests.map(
      (row) =>
        `request ${row.number} of ${callName(row)}: ${row.tool} ${row.digest.slice(0, 8)}, ` +
        `revision ${row.revision}, from ${row.requestedAt} until ${row.expiresAt}`,
    ),
    ...decisions.map(
      (row) =>
        `decision ${row.number}: ${row.verdict} of request ${row.request} by ${row.approver} at ${row.decidedAt}`,
    ),
    ...uses.map((row) => {
      const by = row.request === "none" ? "no request" : `request ${row.request}`;
      return `use of ${callName(row)}: ${row.tool} ${row.digest.slice(0, 8)}, ${by}`;
    }),
  ];
}

function escalationLine(layer: string, attempt: string): string {
  return `escalation of ${attempt} by ${layer}`;
}

function callName({ tenant, runId, callId }: { tenant: string; runId: string; callId: string }): string {
  return `${tenant}/${runId}/${callId}`;
}
