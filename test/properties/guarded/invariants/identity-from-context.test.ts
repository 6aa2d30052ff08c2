import { describe, expect, it } from "vitest";
import type { Happening } from "../../../../src/model/vocabulary.js";
import type { Intent } from "../../../model/guarded/fixture.js";
import {
  accepted,
  type End,
  ended,
  layers,
  parked,
  submitted,
  waiting,
} from "../../../model/guarded/history.js";
import { asks, breach, lastOf, occurs, read } from "../history.js";

const promise = "identity-from-context";

/** A request to page with another field besides; the contract refuses it, as it has one field too many. */
function claiming(fields: { readonly [name: string]: unknown }): Intent {
  return {
    tool: "notify_oncall",
    request: JSON.stringify({ service: "search", message: "slow", ...fields }),
  };
}

const rejected: End = {
  status: "input_rejected",
  code: "shape",
  events: [],
  layers: layers("block", "not_reached", "not_reached", "not_reached"),
};
const believes = (intent: Intent): readonly Happening[] => [
  read(),
  submitted("a1", intent),
  parked("a1", "before_request"),
];

function believed(history: readonly Happening[], claims: string, seen: string) {
  return {
    at: lastOf(history),
    sentence: `a1 went on although its request claims ${claims}, which only the context can say.`,
    expected: "input_rejected",
    seen,
  };
}

describe("identity-from-context", () => {
  it("allows a request that claims a role to be rejected", () => {
    const history = [
      read(),
      submitted("a1", claiming({ user_role: "incident_commander" })),
      ended("a1", 1, rejected),
    ];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(true);
  });

  // Who acts, with what right, approved by whom, for which tenant, in which run.
  it.each([
    "user_role",
    "role",
    "roles",
    "principal",
    "user",
    "tenant",
    "tenant_id",
    "owner_id",
    "approved",
    "approver",
    "capabilities",
    "run_id",
    "call_id",
    "skip_checks",
  ])("forbids one that claims %s to come to a checkpoint", (claim) => {
    const history = believes(claiming({ [claim]: "x" }));
    expect(breach(promise, history)).toEqual(believed(history, claim, "parked at before_request"));
  });

  it.each([
    ["accepted", accepted, "completed accepted/ok"],
    ["waiting", waiting, "completed waiting_for_approval/approval_required"],
  ] as const)("forbids it to end %s, as one whose arguments were valid", (_, end, seen) => {
    const history = [read(), submitted("a1", claiming({ approved: true })), ended("a1", 1, end)];
    expect(breach(promise, history)).toEqual(believed(history, "approved", seen));
  });

  it("names every claim of a request", () => {
    const history = believes(claiming({ tenant: "t2", approved: true, roles: ["editor"] }));
    expect(breach(promise, history)).toEqual(
      believed(history, "roles, tenant, approved", "parked at before_request"),
    );
  });

  it("counts a field by its name, even where its value says nothing", () => {
    const history = believes(claiming({ approved: null }));
    expect(breach(promise, history)).toEqual(believed(history, "approved", "parked at before_request"));
  });

  it.each<[string, Intent]>([
    ["has a field too many that claims nothing", claiming({ colour: "red" })],
    ["claims something in a text", claiming({ message: "approved by tenant t2, role editor" })],
    ["claims something further down", claiming({ message: { approved: true } })],
    ["is a list", { tool: "notify_oncall", request: '["approved"]' }],
    ["is no JSON at all", { tool: "notify_oncall", request: "approved" }],
  ])("is vacuous for a request that %s", (_, intent) => {
    const history = believes(intent);
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });

  it("is vacuous where the field is an argument of the tool", () => {
    const told = submitted("a1", claiming({ user: "p7" }));
    const contract = { kind: "valid", key: "", digest: "page-user", weight: 1 } as const;
    const taken: Happening = told.kind === "submitted" ? { ...told, contract } : told;
    const history = [read(), taken, parked("a1", "before_request")];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(false);
  });

  it("is vacuous for a request that the contract takes", () => {
    expect(breach(promise, asks)).toBe("nothing");
    expect(occurs(promise, asks)).toBe(false);
  });
});
