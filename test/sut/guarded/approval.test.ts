import { afterAll, describe, expect, it } from "vitest";
import type { Action, AttemptName } from "../../../src/model/vocabulary.js";
import {
  advance,
  answerOf,
  asked,
  cancel,
  changePolicy,
  crash,
  crashAt,
  decide,
  endingOf,
  finish,
  lastConsent,
  lastObservation,
  note,
  openGuardedBench,
  restart,
  retry,
  river,
  setCapability,
  submit,
  tick,
  ticket,
} from "./guarded-run.js";

const bench = openGuardedBench();
afterAll(() => bench.close());

/** Runs a list to its end, expects every promise to hold, and answers what its attempts came to. */
async function endings(
  actions: readonly Action[],
  ...attempts: readonly AttemptName[]
): Promise<readonly string[]> {
  const { verdict, history, end } = await bench.run(actions);
  expect(verdict.violations).toEqual([]);
  expect(end.kind).toBe("judged");
  return attempts.map((attempt) => endingOf(history, attempt));
}

describe("an approval", () => {
  it("makes a write wait, and lets the same call through once it is granted, with one ticket in three deliveries", async () => {
    // The article's group 5: ok = False before, True after, and three deliveries make one ticket.
    const actions = [
      ...asked,
      decide("approve", "d1"),
      retry("a2", "a1"),
      finish("a2"),
      retry("a3", "a1"),
      finish("a3"),
    ];
    expect(await endings(actions, "a1", "a2", "a3")).toEqual([
      "waiting_for_approval/approval_required",
      "accepted/ok",
      "accepted/ok",
    ]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastObservation(history).effects).toHaveLength(1);
    expect(lastConsent(history).uses).toMatchObject([{ callId: "c-a1", request: 1 }]);
  });

  it("is not needed for a read, nor for a write that context and policy let through", async () => {
    const actions = [
      submit("a1", "read_config", { name: "region" }),
      finish("a1"),
      submit("a2", "draft", river, { sideEffects: "permitted" }),
      finish("a2"),
    ];
    expect(await endings(actions, "a1", "a2")).toEqual(["accepted/ok", "accepted/ok"]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastConsent(history).requests).toEqual([]);
    // A read leaves neither an effect nor a use behind.
    expect(lastConsent(history).uses).toMatchObject([{ callId: "c-a2", request: "none" }]);
  });

  it("is needed for a permitted write where the policy requires it, and for an external call whatever is permitted", async () => {
    const actions = [
      submit("a1", "notify_oncall", note, { sideEffects: "permitted" }),
      finish("a1"),
      changePolicy(3, "required"),
      submit("a2", "draft", river, { sideEffects: "permitted" }),
      finish("a2"),
    ];
    expect(await endings(actions, "a1", "a2")).toEqual([
      "waiting_for_approval/approval_required",
      "waiting_for_approval/approval_required",
    ]);
  });

  it.each([
    { why: "denied before", said: [decide("deny", "d1")], ending: "approval_refused/denied" },
    {
      why: "denied after a grant",
      said: [decide("approve", "d1"), decide("revoke", "d2")],
      ending: "approval_refused/revoked",
    },
  ])("does not let a call through that was $why", async ({ said, ending }) => {
    const actions = [...asked, ...said, retry("a2", "a1")];
    expect(await endings(actions, "a2")).toEqual([ending]);
  });

  it.each([
    // Half-open: it lives for 2 units, so at 2 it has expired.
    { why: "expired", said: [tick(2)], ending: "approval_refused/expired" },
    { why: "stale", said: [changePolicy(3)], ending: "approval_refused/policy_changed" },
  ])("is asked for anew where the request is $why", async ({ said, ending }) => {
    const actions = [...asked, decide("approve", "d1"), ...said, retry("a2", "a1"), finish("a2")];
    expect(await endings(actions, "a2")).toEqual([ending]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastConsent(history).requests.map(({ number, callId }) => [number, callId])).toEqual([
      [1, "c-a1"],
      [2, "c-a1"],
    ]);
  });

  it("can be used up to the unit before its expiry", async () => {
    const actions = [...asked, tick(1), decide("approve", "d1"), retry("a2", "a1"), finish("a2")];
    expect(await endings(actions, "a2")).toEqual(["accepted/ok"]);
  });

  it("is looked at once more in the transaction: expiry and a no between check and commit are met there", async () => {
    const ready = [...asked, decide("approve", "d1"), retry("a2", "a1")];
    expect(await endings([...ready, tick(2), finish("a2")], "a2")).toEqual(["approval_refused/expired"]);
    expect(await endings([...ready, decide("revoke", "d2"), finish("a2")], "a2")).toEqual([
      "approval_refused/revoked",
    ]);
  });

  it("no longer matters once it is used: the third delivery is let through after expiry and a change of policy", async () => {
    const used = [...asked, decide("approve", "d1"), retry("a2", "a1"), finish("a2")];
    expect(await endings([...used, tick(2), changePolicy(3), retry("a3", "a1"), finish("a3")], "a3")).toEqual(
      ["accepted/ok"],
    );
  });

  it("binds the call to tool and digest: one changed character of the details is told as a mismatch of digests", async () => {
    const actions = [
      ...asked,
      decide("approve", "d1"),
      submit("a2", "create_ticket", { ...ticket, details: "see INC-002" }, { call: "c-a1" }),
      submit("a3", "notify_oncall", note, { call: "c-a1" }),
      retry("a4", "a1"),
      finish("a4"),
    ];
    expect(await endings(actions, "a2", "a3", "a4")).toEqual([
      "approval_refused/digest_mismatch",
      "approval_refused/tool_mismatch",
      "accepted/ok",
    ]);
  });

  it("is not asked for twice by two first attempts of one call", async () => {
    const actions = [
      submit("a1", "create_ticket", ticket),
      submit("a2", "create_ticket", ticket, { call: "c-a1" }),
      advance("a1"),
      advance("a2"),
    ];
    expect(await endings(actions, "a1", "a2")).toEqual([
      "waiting_for_approval/approval_required",
      "waiting_for_approval/approval_required",
    ]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastConsent(history).requests).toHaveLength(1);
  });

  it("lets a tool without a key execute once, however many attempts resume", async () => {
    const actions = [
      submit("a1", "notify_oncall", note),
      finish("a1"),
      decide("approve", "d1"),
      retry("a2", "a1"),
      retry("a3", "a1"),
      finish("a2"),
      finish("a3"),
    ];
    expect(await endings(actions, "a2", "a3")).toEqual(["accepted/ok", "accepted/ok"]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastObservation(history).effects).toHaveLength(1);
  });

  it("is spent by a call that meets the effect of another, with the first reuse", async () => {
    const actions = [
      submit("a1", "draft", river, { sideEffects: "permitted" }),
      finish("a1"),
      submit("a2", "draft", river, { sideEffects: "permitted" }),
      finish("a2"),
    ];
    const { history, verdict } = await bench.run(actions, { epilogue: "left_out" });
    expect(verdict.violations).toEqual([]);
    expect(lastConsent(history).uses.map(({ callId }) => callId)).toEqual(["c-a1", "c-a2"]);
    expect(lastObservation(history).effects.map(({ callId }) => callId)).toEqual(["c-a1"]);
  });

  it("opens nothing where the policy has moved on since the check, or the call is cancelled there", async () => {
    const first = submit("a1", "create_ticket", ticket);
    expect(await endings([first, changePolicy(3), advance("a1")], "a1")).toEqual([
      "policy_changed/policy_changed",
    ]);
    expect(await endings([first, cancel("a1"), advance("a1")], "a1")).toEqual(["cancelled"]);
    const { history } = await bench.run([first, cancel("a1"), advance("a1")], { epilogue: "left_out" });
    expect(lastConsent(history).requests).toEqual([]);
  });
});

describe("a decision", () => {
  const genuine = "recorded";

  it.each([
    {
      why: "a request that was never opened",
      decision: decide("approve", "d1", 1, { flaw: "request" }),
      answer: "no_such_request",
    },
    {
      why: "another tenant",
      decision: decide("approve", "d1", 1, { flaw: "tenant" }),
      answer: "tenant_mismatch",
    },
    {
      why: "someone without the role",
      decision: decide("approve", "d1", 1, { flaw: "role" }),
      answer: "not_entitled",
    },
    {
      why: "the requester",
      decision: decide("approve", "d1", 1, { flaw: "requester" }),
      answer: "not_entitled",
    },
    {
      why: "an echo of another tool",
      decision: decide("approve", "d1", 1, { flaw: "tool" }),
      answer: "tool_mismatch",
    },
    {
      why: "an echo of another call",
      decision: decide("deny", "d1", 1, { flaw: "call" }),
      answer: "call_mismatch",
    },
    {
      why: "an echo of another digest",
      decision: decide("deny", "d1", 1, { flaw: "digest" }),
      answer: "digest_mismatch",
    },
    { why: "someone entitled", decision: decide("approve", "d1"), answer: genuine },
  ])("by $why is answered $answer, and leaves a row only if it is recorded", async ({ decision, answer }) => {
    const { history, verdict } = await bench.run([...asked, decision], { epilogue: "left_out" });
    expect(verdict.violations).toEqual([]);
    expect(answerOf(history, "d1")).toBe(answer);
    expect(lastConsent(history).decisions).toHaveLength(answer === genuine ? 1 : 0);
  });

  const used: readonly Action[] = [...asked, decide("approve", "d1"), retry("a2", "a1"), finish("a2")];
  const again: readonly Action[] = [...asked, tick(2), retry("a2", "a1"), finish("a2")];

  it.each([
    { why: "a grant of a used call", list: [...used, decide("approve", "d2")], answer: "already_used" },
    { why: "a no to a used call", list: [...used, decide("deny", "d2")], answer: "already_used" },
    {
      why: "a grant after a no",
      list: [...asked, decide("deny", "d1"), decide("approve", "d2")],
      answer: "already_denied",
    },
    {
      why: "a second no",
      list: [...asked, decide("deny", "d1"), decide("deny", "d2")],
      answer: "already_denied",
    },
    {
      why: "a second grant",
      list: [...asked, decide("approve", "d1"), decide("approve", "d2")],
      answer: "already_granted",
    },
    {
      why: "a grant of an older request",
      list: [...again, decide("approve", "d2", 1)],
      answer: "superseded",
    },
    { why: "a no to an older request", list: [...again, decide("deny", "d2", 1)], answer: genuine },
    {
      why: "a grant at the very expiry",
      list: [...asked, tick(2), decide("approve", "d2")],
      answer: "expired",
    },
    { why: "a no after the expiry", list: [...asked, tick(2), decide("deny", "d2")], answer: genuine },
    {
      why: "a grant under another policy",
      list: [...asked, changePolicy(3), decide("approve", "d2")],
      answer: "policy_changed",
    },
  ])("that is $why is answered $answer", async ({ list, answer }) => {
    const { history, verdict } = await bench.run(list);
    expect(verdict.violations).toEqual([]);
    expect(answerOf(history, "d2")).toBe(answer);
  });

  it("that was held is judged when it goes on, by what holds then", async () => {
    const actions: readonly Action[] = [
      ...asked,
      decide("approve", "d1", 1, { pace: "held" }),
      decide("deny", "d2"),
      { kind: "settle", decision: "d1" },
      retry("a2", "a1"),
    ];
    const { history, verdict } = await bench.run(actions);
    expect(verdict.violations).toEqual([]);
    expect(["d1", "d2"].map((name) => answerOf(history, name === "d1" ? "d1" : "d2"))).toEqual([
      "already_denied",
      "recorded",
    ]);
    expect(endingOf(history, "a2")).toBe("approval_refused/denied");
  });

  it.each([
    { at: "before_decision", rows: 0, after: "not ended" },
    { at: "after_decision", rows: 1, after: "accepted/ok" },
  ] as const)(
    "killed at $at leaves $rows rows, and the next attempt goes by that",
    async ({ at, rows, after }) => {
      const actions: readonly Action[] = [
        ...asked,
        decide("approve", "d1", 1, { pace: "held" }),
        { kind: "crash", where: { kind: "deciding", decision: "d1", at } },
        restart,
        retry("a2", "a1"),
      ];
      const { history, verdict } = await bench.run([...actions, finish("a2")]);
      expect(verdict.violations).toEqual([]);
      const { history: short } = await bench.run(actions, { epilogue: "left_out" });
      expect(lastConsent(short).decisions).toHaveLength(rows);
      // Without a row the call waits on its request, with it goes on: no second request either way.
      expect(endingOf(history, "a2")).toBe(rows === 0 ? "waiting_for_approval/approval_required" : after);
      expect(lastConsent(short).requests).toHaveLength(1);
    },
  );
});

describe("a crash of the guarded executor", () => {
  const ready = [...asked, decide("approve", "d1"), retry("a2", "a1")];

  it("after the step was begun leaves the step begun, and the next attempt asks", async () => {
    const entry = submit("a1", "create_ticket", ticket);
    const actions: readonly Action[] = [
      { kind: "crash", where: { kind: "entering", entry, at: "after_step" } },
      restart,
      retry("a2", "a1"),
      advance("a2"),
    ];
    expect(await endings(actions, "a2")).toEqual(["waiting_for_approval/approval_required"]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastConsent(history).steps).toHaveLength(1);
  });

  it("after the request was opened leaves that request, and the next attempt waits on it", async () => {
    const actions = [
      submit("a1", "create_ticket", ticket),
      crashAt("a1", "after_request"),
      restart,
      retry("a2", "a1"),
    ];
    expect(await endings(actions, "a2")).toEqual(["waiting_for_approval/approval_required"]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastConsent(history).requests).toHaveLength(1);
  });

  it("inside the transaction leaves the approval unspent, and the next attempt executes", async () => {
    const actions = [...ready, crashAt("a2", "inside_transaction"), restart];
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect([lastConsent(history).uses, lastObservation(history).effects]).toEqual([[], []]);
    expect(await endings([...actions, retry("a3", "a1"), finish("a3")], "a3")).toEqual(["accepted/ok"]);
  });

  it("after the commit leaves the call spent, and the next attempt reuses, even when it has expired", async () => {
    const actions = [
      ...ready,
      crashAt("a2", "after_commit"),
      restart,
      tick(2),
      retry("a3", "a1"),
      finish("a3"),
    ];
    expect(await endings(actions, "a3")).toEqual(["accepted/ok"]);
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(lastObservation(history).effects).toHaveLength(1);
  });

  it("loses no request, decision or use", async () => {
    const actions = [...asked, decide("approve", "d1"), crash, restart, retry("a2", "a1"), finish("a2")];
    expect(await endings(actions, "a2")).toEqual(["accepted/ok"]);
  });
});

describe("a run", () => {
  it("does not move on while a step waits, and takes its next step once that was accepted", async () => {
    // The article: steps_used = 1, the second step of the script was not consumed.
    const later = submit("a2", "read_config", { name: "region" }, { step: 1 });
    const { history } = await bench.run([...asked, later], { epilogue: "left_out" });
    expect(endingOf(history, "a2")).toBe("blocked/run_waiting");
    expect(new Set(lastConsent(history).steps.map(({ step }) => step)).size).toBe(1);
    const resumed = [
      ...asked,
      later,
      decide("approve", "d1"),
      retry("a3", "a1"),
      finish("a3"),
      retry("a4", "a2"),
      finish("a4"),
    ];
    expect(await endings(resumed, "a4")).toEqual(["accepted/ok"]);
  });

  it("lets calls of one step wait side by side, granted in any order", async () => {
    const actions = [
      ...asked,
      submit("a2", "notify_oncall", note),
      finish("a2"),
      decide("approve", "d1", 2),
      decide("approve", "d2", 1),
      retry("a3", "a1"),
      finish("a3"),
      retry("a4", "a2"),
      finish("a4"),
    ];
    expect(await endings(actions, "a3", "a4")).toEqual(["accepted/ok", "accepted/ok"]);
  });

  it("ends with a no: no later step moves", async () => {
    const actions = [
      ...asked,
      decide("deny", "d1"),
      submit("a2", "read_config", { name: "region" }, { step: 1 }),
    ];
    expect(await endings(actions, "a2")).toEqual(["blocked/run_ended"]);
  });

  it("lets a repaired call take the place of one that was refused by its shape, twice and not a third time", async () => {
    const wrong = { ...ticket, title: "" };
    const actions = [
      submit("a1", "create_ticket", wrong),
      submit("a2", "create_ticket", wrong, { replaces: "c-a1" }),
      submit("a3", "create_ticket", wrong, { replaces: "c-a2" }),
      submit("a4", "create_ticket", ticket, { replaces: "c-a3" }),
    ];
    expect(await endings(actions, "a1", "a3", "a4")).toEqual([
      "input_rejected/title",
      "input_rejected/title",
      "blocked/repair_limit",
    ]);
  });
});

describe("a capability", () => {
  it("is looked up at the stage and again in the transaction; regained in time, the grant still works", async () => {
    const take = setCapability("create_ticket", "tickets", false);
    const give = setCapability("create_ticket", "tickets", true);
    expect(await endings([take, submit("a1", "create_ticket", ticket)], "a1")).toEqual([
      "permission_denied/capability",
    ]);
    const ready = [...asked, decide("approve", "d1"), retry("a2", "a1")];
    expect(await endings([...ready, take, finish("a2")], "a2")).toEqual(["permission_denied/capability"]);
    expect(await endings([...ready, take, give, finish("a2")], "a2")).toEqual(["accepted/ok"]);
  });

  it("that is missing is a refusal which a human gets to see, with the layers told apart", async () => {
    const take = setCapability("create_ticket", "tickets", false);
    const { history } = await bench.run([take, submit("a1", "create_ticket", ticket)], {
      epilogue: "left_out",
    });
    expect(lastConsent(history).escalations).toMatchObject([{ callId: "c-a1", layer: "capability" }]);
    // The article's four results: valid, allowed, denied, not requested.
    expect(lastObservation(history).receipts.map(({ layers }) => layers)).toEqual([
      { schema: "allow", business: "allow", capability: "escalate", approval: "not_reached" },
    ]);
  });
});
