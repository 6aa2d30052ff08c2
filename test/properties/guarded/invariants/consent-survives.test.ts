import { describe, expect, it } from "vitest";
import type { Consent, Happening } from "../../../../src/model/vocabulary.js";
import { page } from "../../../model/guarded/fixture.js";
import {
  decisionRow,
  requestRow,
  restarted,
  stepRow,
  submitted,
  useRow,
} from "../../../model/guarded/history.js";
import { escalation } from "../../../model/guarded/story.js";
import { crashedAtRest } from "../../history.js";
import {
  asked,
  asks,
  breach,
  granted,
  grants,
  lastOf,
  occurs,
  paged,
  pages,
  read,
  requested,
} from "../history.js";

const promise = "consent-survives";
const escalations = [escalation];
const full = { ...paged, escalations };

/** The executor is killed at rest and comes up again; the store is as given. */
function restartsWith(stored: typeof full | typeof granted, before: readonly Happening[] = pages) {
  return [...before, read(full), crashedAtRest(), restarted, read(stored)];
}

function lost(history: readonly Happening[], row: string, mover = "no attempt") {
  return {
    at: lastOf(history),
    sentence: `While ${mover} moved, a row of consent was changed or lost.`,
    expected: "requests, decisions, uses and steps as they were written",
    seen: row,
  };
}

describe("consent-survives", () => {
  it("allows a restart that keeps every row", () => {
    expect(breach(promise, restartsWith(full))).toBe("nothing");
    expect(occurs(promise, restartsWith(full))).toBe(true);
  });

  it("allows rows to be added", () => {
    const requests = [requestRow, requested(2, { callId: "c-a7" })];
    expect(breach(promise, restartsWith({ ...full, requests }))).toBe("nothing");
  });

  const request = "1 t1 r1 c-a1 p1 notify_oncall page-search 1 incident_commander 0 2";
  it.each<[string, Partial<Consent>, string]>([
    ["requests that were kept in memory alone", { requests: [] }, `requests: ${request}, now gone`],
    [
      "an expiry that starts anew",
      { requests: [{ ...requestRow, expiresAt: 3 }] },
      `requests: ${request}, now 1 t1 r1 c-a1 p1 notify_oncall page-search 1 incident_commander 0 3`,
    ],
    [
      "decisions that were kept in memory alone",
      { decisions: [] },
      "decisions: 1 1 grant approver-1 incident_commander 0, now gone",
    ],
    [
      "a yes that becomes a no",
      { decisions: [{ ...decisionRow, verdict: "deny" }] },
      "decisions: 1 1 grant approver-1 incident_commander 0, now 1 1 deny approver-1 incident_commander 0",
    ],
    ["a use", { uses: [] }, "uses: t1 r1 c-a1 notify_oncall page-search 1, now gone"],
    [
      "a use that names no request any more",
      { uses: [{ ...useRow, request: "none" }] },
      "uses: t1 r1 c-a1 notify_oncall page-search 1, now t1 r1 c-a1 notify_oncall page-search none",
    ],
    ["a step", { steps: [] }, "steps: t1 r1 0 c-a1 none, now gone"],
    [
      "a step that moved on",
      { steps: [{ ...stepRow, step: 1 }] },
      "steps: t1 r1 0 c-a1 none, now t1 r1 1 c-a1 none",
    ],
    ["an escalation", { escalations: [] }, "escalations: t1 r1 c-a1 d-a1 capability, now gone"],
  ])("forbids to lose or change %s", (_, parts, row) => {
    const history = restartsWith({ ...full, ...parts });
    expect(breach(promise, history)).toEqual(lost(history, row));
  });

  it("forbids it without a restart, too", () => {
    const history = [...grants, submitted("a2", page), read(asked)];
    expect(breach(promise, history)).toEqual(
      lost(history, "decisions: 1 1 grant approver-1 incident_commander 0, now gone", "a2"),
    );
  });

  it("takes rows that change places for changed", () => {
    const both = [requestRow, requested(2, { callId: "c-a7" })];
    const history = [read(), read({ requests: both }), read({ requests: both.toReversed() })];
    expect(breach(promise, history)).toMatchObject({
      at: 2,
      seen: expect.stringContaining("requests: 1 t1"),
    });
  });

  it("takes rows that were read anew for the same", () => {
    const history = [...grants, read({ ...granted, requests: [{ ...requestRow }] })];
    expect(breach(promise, history)).toBe("nothing");
  });

  it("occurs with a restart, or a round trip, that finds a request", () => {
    const trip: Happening = { kind: "round_tripped", tampered: false, answer: "restored" };
    expect(occurs(promise, asks)).toBe(false);
    expect(occurs(promise, [read(), crashedAtRest(), restarted])).toBe(false);
    expect(occurs(promise, [read(), trip])).toBe(false);
    expect(occurs(promise, [...asks, trip])).toBe(true);
    expect(occurs(promise, [...asks, crashedAtRest(), restarted])).toBe(true);
  });
});
