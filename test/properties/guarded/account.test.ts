import { describe, expect, it } from "vitest";
import type { Happening } from "../../../src/model/vocabulary.js";
import { boundTo, isLive, latestRequest, somethingWaits } from "../../../src/properties/account/consent.js";
import { type Account, attemptOf, createAccount } from "../../../src/properties/account.js";
import { guarded, held, page, right, type Saying, three } from "../../model/guarded/fixture.js";
import {
  decided,
  decisionRow,
  genuine,
  receiptRow,
  requestRow,
  stepRow,
  submitted,
  useRow,
} from "../../model/guarded/history.js";
import { happened } from "../history.js";
import {
  asked,
  asks,
  denies,
  executes,
  granted,
  grants,
  pages,
  policyAt,
  read,
  requested,
  type Telling,
} from "./history.js";

function accountOf(...telling: Telling): Account {
  const { account, add } = createAccount(guarded, "toolbox", three, held);
  for (const event of happened(...telling)) add(event);
  return account;
}

const call = { tenant: "t1", runId: "r1", callId: "c-a1" };
const name = "t1\nr1\nc-a1";
const tick = (now: number): Happening => ({ kind: "clock_set", now });

describe("the account of consent", () => {
  it("begins at time 0, with the capabilities that are held at the start and nothing asked", () => {
    const { consent } = accountOf();
    expect(consent.clock).toBe(0);
    expect(consent.capabilities.size).toBe(held.length);
    expect(consent.requests.size + consent.uses.size + consent.granted.size + consent.noes.size).toBe(0);
  });

  it("takes the rows of a read, and says which are new", () => {
    const { consent } = accountOf(asks);
    expect([...consent.requests.values()]).toEqual([requestRow]);
    expect([...consent.requestsOf]).toEqual([[name, [1]]]);
    expect(consent.steps).toEqual([stepRow]);
    expect(consent.change).toEqual({
      requests: [requestRow],
      decisions: [],
      uses: [],
      steps: [],
      lost: [],
      decided: [],
    });
  });

  it("takes a use and the step before it as they come, and no row twice", () => {
    const { consent } = accountOf(pages);
    expect([...consent.uses]).toEqual([[name, useRow]]);
    expect(consent.steps).toEqual([stepRow]);
    expect([...consent.requestsOf]).toEqual([[name, [1]]]);
    expect([...consent.accepted]).toEqual([name]);
    expect(consent.change.requests).toEqual([]);
  });

  it("keeps a request as it was when it was first seen", () => {
    const { consent } = accountOf(asks, read({ ...asked, requests: [{ ...requestRow, expiresAt: 9 }] }));
    expect(consent.requests.get(1)).toEqual(requestRow);
  });

  it("says what a decision ought to be answered, once, at the read that follows", () => {
    const decision = genuine("d1");
    const after = accountOf(grants);
    expect(after.consent.change.decided).toMatchObject([{ due: "recorded", answer: { kind: "recorded" } }]);
    expect(after.consent.change.decisions).toEqual([decisionRow]);
    expect(accountOf(grants, read(granted)).consent.change.decided).toEqual([]);
    expect(accountOf(asks, decided(decision)).consent.change.decided).toEqual([]);
  });

  it("says so, too, where the read finds the very store of the read before", () => {
    const same = read(asked);
    const no = decided(genuine("d1", "deny"), { kind: "refused", code: "expired" });
    const { change } = accountOf(read(), same, no, same).consent;
    expect(change.decided).toMatchObject([{ due: "recorded" }]);
    expect(change.requests).toEqual([]);
  });

  it("counts a yes only where it is genuine and recorded", () => {
    const yes = genuine("d1");
    const numbers = (...telling: Telling) => [...accountOf(...telling).consent.granted];
    expect(numbers(asks, decided(yes))).toEqual([1]);
    expect(numbers(asks, decided(yes, { kind: "refused", code: "expired" }))).toEqual([]);
    expect(numbers(asks, decided({ ...yes, by: { ...yes.by, roles: [] } }))).toEqual([]);
    expect(numbers(asks, read(granted))).toEqual([]);
  });

  it("counts a no where it is genuine, even if it is turned away", () => {
    const no = genuine("d1", "deny");
    const names = (...telling: Telling) => [...accountOf(...telling).consent.noes];
    expect(names(denies)).toEqual([name]);
    expect(names(asks, decided(no, { kind: "refused", code: "expired" }))).toEqual([name]);
    expect(names(asks, decided({ ...no, by: { ...no.by, tenant: "t9" } }))).toEqual([]);
    expect(names(executes, decided(no, { kind: "refused", code: "already_used" }))).toEqual([]);
  });

  it("counts genuine texts of what waits that were turned away", () => {
    const trip = (tampered: boolean, answer: "restored" | "refused"): Happening => ({
      kind: "round_tripped",
      tampered,
      answer,
    });
    expect(accountOf(asks, trip(false, "refused")).consent.refusedRoundTrips).toBe(1);
    expect(accountOf(asks, trip(true, "refused"), trip(false, "restored")).consent.refusedRoundTrips).toBe(0);
    // Where nothing waits there is nothing to restore.
    expect(accountOf(read(), trip(false, "refused")).consent.refusedRoundTrips).toBe(0);
  });
});

describe("a request", () => {
  const liveAfter = (...telling: Telling): boolean => {
    const { consent, observation } = accountOf(...telling);
    return isLive(consent, requestRow, observation.policy);
  };

  it("is live until it expires, its policy changes, somebody says no, it is spent, or another is opened", () => {
    expect(liveAfter(asks)).toBe(true);
    expect(liveAfter(grants)).toBe(true);
    expect(liveAfter(asks, tick(1))).toBe(true);
    expect(liveAfter(asks, tick(2))).toBe(false);
    expect(liveAfter(asks, read({ ...asked, policy: policyAt(2) }))).toBe(false);
    expect(liveAfter(asks, read({ ...asked, policy: { kind: "missing" } }))).toBe(false);
    expect(liveAfter(denies)).toBe(false);
    expect(liveAfter(executes)).toBe(false);
    expect(liveAfter(asks, read({ ...asked, requests: [requestRow, requested(2)] }))).toBe(false);
  });

  it("waits until it is spent or denied, however old it is", () => {
    const waitsAfter = (...telling: Telling) => somethingWaits(accountOf(...telling).consent);
    expect(waitsAfter(read())).toBe(false);
    expect(waitsAfter(asks)).toBe(true);
    expect(waitsAfter(grants)).toBe(true);
    expect(waitsAfter(asks, tick(9))).toBe(true);
    expect(waitsAfter(denies)).toBe(false);
    expect(waitsAfter(executes)).toBe(false);
  });

  it("binds its call by the first, and stands for it by the latest", () => {
    const second = requested(2, { tool: "odd", digest: "other" });
    const { consent } = accountOf(asks, read({ ...asked, requests: [requestRow, second] }));
    expect(boundTo(consent, call)).toEqual(requestRow);
    expect(latestRequest(consent, call)).toEqual(second);
    for (const other of [{ tenant: "t2" }, { runId: "r2" }, { callId: "c-a2" }]) {
      expect(boundTo(consent, { ...call, ...other })).toBeUndefined();
      expect(latestRequest(consent, { ...call, ...other })).toBeUndefined();
    }
  });

  it("need not be: a use alone binds its call", () => {
    const { consent } = accountOf(read(), read({ uses: [{ ...useRow, request: "none" }] }));
    expect(boundTo(consent, call)).toMatchObject({ tool: "notify_oncall", digest: "page-search" });
    expect(latestRequest(consent, call)).toBeUndefined();
  });
});

describe("what was known when an attempt was submitted", () => {
  const known = (before: Telling, saying: Saying = {}) =>
    attemptOf(accountOf(...before, submitted("a9", page, saying)), "a9");

  it("tells whether its call had been used", () => {
    expect(known([pages], { callId: "c-a1" }).usedAtSubmission).toBe(true);
    expect(known([pages]).usedAtSubmission).toBe(false);
    expect(known([grants], { callId: "c-a1" }).usedAtSubmission).toBe(false);
  });

  it("tells whether its principal held what the call takes", () => {
    const paging = right("notify_oncall", "oncall/search");
    const set = (isHeld: boolean): Happening => ({
      kind: "capability_set",
      capability: paging,
      held: isHeld,
    });
    expect(known([]).capableAtSubmission).toBe(true);
    expect(known([set(false)]).capableAtSubmission).toBe(false);
    expect(known([set(false)], { tenant: "t2" }).capableAtSubmission).toBe(true);
    expect(known([set(false)], { principal: "p2" }).capableAtSubmission).toBe(false);
    expect(known([set(false), set(true)]).capableAtSubmission).toBe(true);
  });

  it("tells whether its run let it move", () => {
    expect(known([read()], { step: 3 }).gateAtSubmission).toBe("open");
    expect(known([asks], { step: 1 }).gateAtSubmission).toBe("waiting");
    expect(known([denies], { step: 1 }).gateAtSubmission).toBe("ended");
    expect(known([denies]).gateAtSubmission).toBe("open");
    expect(known([pages], { step: 1 }).gateAtSubmission).toBe("open");
    const steps = ["none", "c-1", "c-2"].map((replaces, index) => ({
      ...stepRow,
      callId: `c-${index + 1}`,
      replaces,
    }));
    expect(known([read({ steps })], { replaces: "c-2" }).gateAtSubmission).toBe("open");
    expect(known([read({ steps })], { replaces: "c-3" }).gateAtSubmission).toBe("repair_limit");
  });

  it("takes a place for one step of one run", () => {
    // c-a1 of step 0 is accepted; c-a1 of step 1 of the same name is another call's place.
    const elsewhere = { ...stepRow, step: 1, callId: "c-b", replaces: "c-a1" };
    const receipts = [receiptRow(1, "a1", { ...acceptedEnd })];
    const before = [read(), read({ steps: [stepRow, elsewhere], receipts })];
    expect(known(before, { step: 1 }).gateAtSubmission).toBe("open");
    expect(known(before, { step: 2 }).gateAtSubmission).toBe("waiting");
  });
});

const acceptedEnd = {
  status: "accepted",
  code: "ok",
  events: [],
  layers: { schema: "allow", business: "allow", capability: "allow", approval: "allow" },
} as const;
