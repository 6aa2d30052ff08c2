import { describe, expect, it } from "vitest";
import type { Happening } from "../../../../src/model/vocabulary.js";
import { page } from "../../../model/guarded/fixture.js";
import {
  accepted,
  advanced,
  ended,
  requestRow,
  stepRow,
  submitted,
  waiting,
} from "../../../model/guarded/history.js";
import {
  asked,
  asks,
  breach,
  endsAtOnce,
  endsWith,
  lastOf,
  occurs,
  paged,
  pages,
  policyAt,
  read,
  requested,
  type Stored,
  sameCall,
  starts,
} from "../history.js";

const promise = "asks-once";

/** After request 1, a2 opens request 2 of the same call on a store like this. */
function opensAnother(
  before: readonly Happening[],
  stored: Stored,
  parts: Parameters<typeof requested>[1] = {},
) {
  return [
    ...before,
    ...starts("a2", "before_request", stored, page, sameCall),
    advanced("a2"),
    ended("a2", 2, waiting),
    read({ ...stored, requests: [requestRow, requested(2, parts)] }),
  ];
}

function twice(history: readonly Happening[]) {
  return {
    at: lastOf(history),
    sentence: "While a2 moved, a second request of call c-a1 was opened beside a live one.",
    expected: "no request while request 1 is live",
    seen: "request 2",
  };
}

const at = (now: number): Happening => ({ kind: "clock_set", now });

describe("asks-once", () => {
  it("allows the first request of a call", () => {
    expect(breach(promise, asks)).toBe("nothing");
    expect(occurs(promise, asks)).toBe(true);
  });

  it("is vacuous until an attempt ends waiting", () => {
    expect(occurs(promise, [read(), ...starts("a1", "before_request", { steps: [stepRow] })])).toBe(false);
    expect(occurs(promise, [read(), ...endsAtOnce("a1", 1, accepted, {})])).toBe(false);
  });

  it("forbids a second request while the first is live", () => {
    const history = opensAnother(asks, asked);
    expect(breach(promise, history)).toEqual(twice(history));
  });

  // Request 1 expires at 2: it is live at 1, and dead at the very tick.
  it("allows the next once the first has expired, and no sooner", () => {
    const tooSoon = opensAnother([...asks, at(1), read(asked)], asked);
    expect(breach(promise, tooSoon)).toEqual(twice(tooSoon));
    const due = opensAnother([...asks, at(2), read(asked)], asked, { requestedAt: 2, expiresAt: 4 });
    expect(breach(promise, due)).toBe("nothing");
  });

  it.each([
    ["has changed", policyAt(2)],
    ["is gone", { kind: "missing" }],
  ] as const)("allows the next once the policy %s", (_, policy) => {
    const set: Happening = { kind: "policy_set", setting: { kind: "remove" } };
    const history = opensAnother([...asks, set, read({ ...asked, policy })], { ...asked, policy });
    expect(breach(promise, history)).toBe("nothing");
  });

  it("compares with the request before, not with the first of the call", () => {
    const second = requested(2, { requestedAt: 2, expiresAt: 4 });
    const both = { ...asked, requests: [requestRow, second] };
    const before = [...asks, at(2), read(asked), read(both)];
    const third = { ...both, requests: [...both.requests, requested(3, { requestedAt: 2, expiresAt: 4 })] };
    const history = [...before, submitted("a2", page, sameCall), ...endsWith("a2", 2, waiting, third)];
    expect(breach(promise, history)).toEqual({
      ...twice(history),
      expected: "no request while request 2 is live",
      seen: "request 3",
    });
  });

  it.each(["callId", "runId", "tenant"] as const)("counts requests that differ in %s apart", (field) => {
    expect(breach(promise, opensAnother(asks, asked, { [field]: "other" }))).toBe("nothing");
  });

  it("forbids two requests that two first attempts of a call open one after the other", () => {
    const history = [
      read(),
      ...starts("a1", "before_request", { steps: [stepRow] }),
      ...starts("a2", "before_request", { steps: [stepRow] }, page, sameCall),
      advanced("a1"),
      ...endsWith("a1", 1, waiting, asked),
      advanced("a2"),
      ...endsWith("a2", 2, waiting, { ...asked, requests: [requestRow, requested(2)] }),
    ];
    expect(breach(promise, history)).toEqual(twice(history));
  });

  it("does not mind a call that is used to be asked about, which approval-binds and the machine judge", () => {
    const history = [...pages, read({ ...paged, requests: [requestRow, requested(2)] })];
    expect(breach(promise, history)).toBe("nothing");
  });
});
