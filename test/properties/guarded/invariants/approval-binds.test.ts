import { describe, expect, it } from "vitest";
import type { Happening } from "../../../../src/model/vocabulary.js";
import { type Intent, odd, page, region, river2, type Saying } from "../../../model/guarded/fixture.js";
import {
  decided,
  decisionRow,
  effectRow,
  genuine,
  requestRow,
  stepRow,
  useRow,
} from "../../../model/guarded/history.js";
import {
  asked,
  asks,
  breach,
  executes,
  granted,
  grants,
  lastOf,
  moves,
  occurs,
  policyAt,
  read,
  requested,
  resumes,
  type Stored,
  sameCall,
  spent,
  starts,
} from "../history.js";

const promise = "approval-binds";
const seenEffect = " of t1: digest page-search, body slow, revision 1";

/** The finding that a2 committed as it did, shown by the last event. */
function unapproved(
  history: readonly Happening[],
  grantedNumbers: string,
  seen = `notify_oncall ${seenEffect}`,
) {
  return {
    at: lastOf(history),
    sentence: "While a2 moved, an effect was committed that nobody had approved in this form at that time.",
    expected:
      "a genuine, live grant for notify_oncall, call c-a1, digest page-sea, and an effect and a use of just that",
    seen: `${seen}; granted requests of the call: ${grantedNumbers}`,
  };
}

/** a2 goes through its business on a store that is as before, and leaves the effect. */
function commitsOver(before: readonly Happening[], stored: Stored): readonly Happening[] {
  return [
    ...before,
    ...starts("a2", "before_business", stored, page, sameCall),
    ...moves("a2", "after_business", { ...stored, uses: [useRow], effects: [effectRow] }),
  ];
}

describe("approval-binds", () => {
  it("allows an effect with a genuine, live grant", () => {
    expect(breach(promise, executes)).toBe("nothing");
    expect(occurs(promise, executes)).toBe(true);
  });

  it("is vacuous as long as nothing that needed an approval has executed", () => {
    expect(occurs(promise, resumes)).toBe(false);
  });

  it("forbids an effect of a call that nobody was asked about", () => {
    const history = commitsOver([read()], { steps: [stepRow] });
    expect(breach(promise, history)).toEqual(unapproved(history, "none"));
  });

  it("forbids an effect while the request still waits", () => {
    const history = commitsOver(asks, asked);
    expect(breach(promise, history)).toEqual(unapproved(history, "none"));
  });

  it("does not believe a grant by somebody who had no right to give it", () => {
    // The executor says recorded and keeps a row; the harness knows that the approver held no role.
    const forged = { ...genuine("d1"), by: { approver: "approver-1", tenant: "t1", roles: [] } };
    const history = commitsOver([...asks, decided(forged), read(granted)], granted);
    expect(breach(promise, history)).toEqual(unapproved(history, "none"));
  });

  it("does not believe a row of a grant that nobody gave", () => {
    const history = commitsOver([...asks, read(granted)], granted);
    expect(breach(promise, history)).toEqual(unapproved(history, "none"));
  });

  // A grant lives while now < expiresAt, and request 1 expires at 2.
  it.each([
    [1, "allows", "nothing"],
    [2, "forbids", "1"],
    [3, "forbids", "1"],
  ] as const)("takes the grant at time %i: %s", (now, _, numbers) => {
    const history = [
      ...resumes,
      { kind: "clock_set", now } as const,
      ...moves("a2", "after_business", spent),
    ];
    expect(breach(promise, history)).toEqual(
      numbers === "nothing" ? "nothing" : unapproved(history, numbers),
    );
  });

  it.each([
    ["was replaced by another revision", policyAt(2)],
    ["was removed", { kind: "missing" }],
  ] as const)("forbids an effect on a grant under a policy that %s", (_, policy) => {
    const history = [
      ...resumes,
      { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } } as const,
      read({ ...granted, policy }),
      ...moves("a2", "after_business", { ...spent, policy }),
    ];
    expect(breach(promise, history)).toEqual(unapproved(history, "1"));
  });

  // The grant of request 1 stands in each of these; only the effect or its use is another than what it names.
  it.each<[string, Stored, Partial<ReturnType<typeof unapproved>>]>([
    [
      "of another digest",
      { effects: [{ ...effectRow, digest: "page-other" }], uses: [{ ...useRow, digest: "page-other" }] },
      {
        expected:
          "a genuine, live grant for notify_oncall, call c-a1, digest page-oth, and an effect and a use of just that",
        seen: "notify_oncall  of t1: digest page-other, body slow, revision 1; granted requests of the call: 1",
      },
    ],
    [
      "of another tool",
      { effects: [{ ...effectRow, tool: "odd" }], uses: [{ ...useRow, tool: "odd" }] },
      {
        expected:
          "a genuine, live grant for odd, call c-a1, digest page-sea, and an effect and a use of just that",
        seen: `odd ${seenEffect}; granted requests of the call: 1`,
      },
    ],
    ["in the name of another call", { effects: [{ ...effectRow, callId: "c-a7" }] }, {}],
    ["in the name of another run", { effects: [{ ...effectRow, runId: "r2" }] }, {}],
    [
      "in another tenant",
      { effects: [{ ...effectRow, tenant: "t2" }] },
      {
        seen: "notify_oncall  of t2: digest page-search, body slow, revision 1; granted requests of the call: 1",
      },
    ],
    ["whose use names another digest", { uses: [{ ...useRow, digest: "page-other" }] }, {}],
    ["whose use names another tool", { uses: [{ ...useRow, tool: "odd" }] }, {}],
  ])("forbids an effect %s", (_, parts, told) => {
    const history = [...resumes, ...moves("a2", "after_business", { ...spent, ...parts })];
    expect(breach(promise, history)).toEqual({ ...unapproved(history, "1"), ...told });
  });

  it("takes no grant of another call, whether the id, the run or the tenant differs", () => {
    for (const saying of [{}, { callId: "c-a1", runId: "r2" }, { callId: "c-a1", tenant: "t2" }]) {
      const { callId = "c-a2", runId = "r1", tenant = "t1" }: Saying = saying;
      const row = { ...effectRow, callId, runId, tenant };
      const history = [
        ...grants,
        ...starts("a2", "before_business", granted, page, saying),
        ...moves("a2", "after_business", {
          ...granted,
          effects: [row],
          uses: [{ ...useRow, callId, runId, tenant }],
        }),
      ];
      const { sentence } = unapproved(history, "none");
      expect(breach(promise, history)).toMatchObject({ at: lastOf(history), sentence });
    }
  });

  it("takes the grant of any of the call's requests that is live, not of the first alone", () => {
    // Request 1 was disclosed under revision 1; request 2 under revision 2, which is in force.
    const second = requested(2, { revision: 2 });
    const policy = policyAt(2);
    const stored = { ...asked, requests: [requestRow, second], policy };
    const history = commitsOver(
      [
        ...asks,
        { kind: "policy_set", setting: { kind: "limit", maxCopies: 3 } },
        read({ ...asked, policy }),
        read(stored),
        decided({ ...genuine("d1"), request: 2 }),
        read({ ...stored, decisions: [{ ...decisionRow, request: 2 }] }),
      ],
      stored,
    );
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(true);
  });
});

describe("approval-binds, where nobody need be asked,", () => {
  /** a2 commits without a request, under a policy that wants `approval` for writes or not. */
  function does(
    intent: Intent,
    sideEffects: "permitted" | "not_permitted",
    approval: "required" | "not_required",
  ) {
    const policy = { kind: "present", revision: 1, maxCopies: 3, approval } as const;
    const row = { ...effectRow, tool: intent.tool };
    const saying = { ...sameCall, sideEffects };
    return [
      read({ policy }),
      ...starts("a2", "before_business", { steps: [stepRow], policy }, intent, saying),
      ...moves("a2", "after_business", { steps: [stepRow], policy, effects: [row] }),
    ];
  }

  // A write is free if the context permits side effects and the policy does not require more; whatever is not
  // literally a read or a write is never free; a read is, always.
  it.each([
    ["a permitted write", river2, "permitted", "not_required", "free"],
    ["a permitted write that the policy wants approved", river2, "permitted", "required", "bound"],
    ["a write that is not permitted", river2, "not_permitted", "not_required", "bound"],
    ["a read that is not permitted", region, "not_permitted", "required", "free"],
    ["a permitted notification", page, "permitted", "not_required", "bound"],
    ["a tool of no known class", odd, "permitted", "not_required", "bound"],
  ] as const)("takes %s", (_, intent, sideEffects, approval, answer) => {
    const history = does(intent, sideEffects, approval);
    expect(breach(promise, history) === "nothing").toBe(answer === "free");
    expect(occurs(promise, history)).toBe(answer === "bound");
  });
});
