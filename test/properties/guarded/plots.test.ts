import { describe, expect, it } from "vitest";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import { interpretFor } from "../../../src/contract/tool.js";
import { step } from "../../../src/model/step.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../../src/model/world.js";
import type { GuardedMeans } from "../../../src/properties/guarded-planner.js";
import { guardedPlots, type Plot, plottedAction } from "../../../src/properties/guarded-plots.js";
import { guardedProfile } from "../../../src/sut/guarded/system.js";

type Move = Plot["moves"][number];

const box = guardedContract.toolbox;
const interpret = interpretFor(guardedContract);

function meansFor(tool: string): GuardedMeans {
  return {
    profile: guardedProfile,
    contract: guardedContract,
    can: () => true,
    tools: box?.tools.filter(({ name }) => name === tool) ?? [],
    faults: [],
    lateFaults: [],
    spoilt: [{ kind: "spoilt_output", as: "personal", tries: 1 }],
    driverFaults: [],
  };
}

type Told = { readonly move: Move; readonly action: Action | "none"; readonly taken: boolean };

/** Makes the moves one after the other, each time the first choice. */
function told(
  moves: readonly Move[],
  tool: string,
): { readonly tale: readonly Told[]; readonly world: World } {
  const means = meansFor(tool);
  let world = initialWorld(
    guardedProfile,
    { kind: "limit", maxCopies: 3 },
    guardedContract.name,
    box?.capabilities,
  );
  const tale = moves.map((move): Told => {
    const action = plottedAction(move, world, means, () => 0);
    if (action === undefined) return { move, action: "none", taken: false };
    const moved = step(world, action, interpret);
    if (moved.kind === "moved") world = moved.world;
    return { move, action, taken: moved.kind === "moved" };
  });
  return { tale, world };
}

/** What the last of the moves is. */
function lastOf(tool: string, ...moves: readonly Move[]): Action | "none" {
  return told(moves, tool).tale.at(-1)?.action ?? "none";
}

const toolsFor = { any: ["draft", "notify_oncall"], keyed: ["draft"], keyless: ["notify_oncall"] } as const;

describe("every plot", () => {
  // An executor that is wrong may have let through what the machine refuses, so an advance may come to nothing.
  const mayComeToNothing: readonly Move[] = ["advance", "advance first", "finish"];

  it.each(guardedPlots.map(({ tools, moves }) => [moves.join(", "), tools, moves] as const))(
    "%s: each move applies and is taken, save one of an attempt that is over",
    (_, tools, moves) => {
      for (const tool of toolsFor[tools]) {
        const idle = told(moves, tool).tale.filter(({ taken }) => !taken);
        expect(idle.map(({ move }) => move).filter((move) => !mayComeToNothing.includes(move))).toEqual([]);
      }
    },
  );

  it("begins with an attempt, or with what it needs", () => {
    const first = new Set(guardedPlots.map(({ moves }) => moves[0]));
    expect(first).toEqual(new Set(["ask", "do", "do badly", "require"]));
  });
});

describe("a plot's move", () => {
  it("asks for something that nobody permitted, and does something that is permitted", () => {
    expect(lastOf("draft", "ask")).toMatchObject({
      kind: "submit",
      attempt: "a1",
      context: { tenant: "t1", callId: "c-a1", dispatch: { tool: "draft", sideEffects: "not_permitted" } },
      faults: [],
    });
    expect(lastOf("draft", "do")).toMatchObject({
      context: { dispatch: { sideEffects: "permitted" } },
      faults: [],
    });
    expect(lastOf("draft", "do badly")).toMatchObject({
      context: { dispatch: { sideEffects: "permitted" } },
      faults: [{ kind: "spoilt_output" }],
    });
  });

  it("resumes the latest attempt whose call was asked about, or the first", () => {
    const twice: readonly Move[] = ["ask", "advance", "ask", "advance", "grant"];
    expect(lastOf("draft", ...twice, "resume")).toEqual({
      kind: "retry",
      attempt: "a3",
      of: "a2",
      faults: [],
    });
    expect(lastOf("draft", ...twice, "resume the first")).toMatchObject({ kind: "retry", of: "a1" });
    expect(lastOf("draft", ...twice, "resume badly")).toMatchObject({
      of: "a2",
      faults: [{ kind: "spoilt_output" }],
    });
  });

  it("grants the latest request that is undecided, and the first when told so", () => {
    const changed: readonly Move[] = ["ask", "advance", "change", "resume", "advance"];
    const grant = { kind: "approve", decision: "d1", flaw: "none", pace: "at_once" } as const;
    expect(lastOf("draft", "ask", "advance", "grant")).toEqual({ ...grant, request: 1 });
    expect(lastOf("draft", ...changed, "grant")).toEqual({ ...grant, request: 2 });
    expect(lastOf("draft", ...changed, "grant the first")).toEqual({ ...grant, request: 1 });
    expect(lastOf("draft", ...changed, "deny")).toEqual({ ...grant, kind: "deny", request: 2 });
    expect(lastOf("draft", ...changed, "deny the first")).toEqual({ ...grant, kind: "deny", request: 1 });
  });

  it("denies the latest request, also one that is granted while another waits", () => {
    const moves: readonly Move[] = ["ask", "advance", "ask", "advance", "grant"];
    expect(lastOf("draft", ...moves)).toMatchObject({ kind: "approve", request: 2 });
    expect(lastOf("draft", ...moves, "deny")).toMatchObject({ kind: "deny", request: 2 });
  });

  it("goes on with the attempt that stands last or first", () => {
    const both: readonly Move[] = ["ask", "ask under its id"];
    expect(lastOf("draft", ...both, "advance")).toEqual({ kind: "advance", attempt: "a2" });
    expect(lastOf("draft", ...both, "advance first")).toEqual({ kind: "advance", attempt: "a1" });
    expect(lastOf("draft", ...both, "finish")).toEqual({ kind: "finish", attempt: "a2" });
    expect(lastOf("draft", ...both, "cancel")).toEqual({ kind: "cancel", attempt: "a2" });
    expect(lastOf("draft", ...both, "cancel", "cancel")).toBe("none");
  });

  it("comes again under the id of the latest call with one thing about it changed", () => {
    const [first] = told(["ask"], "notify_oncall").tale;
    const asked = first?.action;
    if (asked === undefined || asked === "none" || asked.kind !== "submit")
      throw new Error("nothing was asked");
    const { request, context } = asked;
    const again = (move: Move) => lastOf("notify_oncall", "ask", move);
    expect(again("ask under its id")).toMatchObject({ attempt: "a2", request, context });
    expect(again("ask the same")).toMatchObject({ request, context: { ...context, callId: "c-a2" } });
    expect(again("its id in another tenant")).toMatchObject({
      request,
      context: { ...context, tenant: "t2" },
    });
    expect(again("other tool under its id")).toMatchObject({
      request,
      context: { callId: "c-a1", dispatch: { tool: "page_oncall" } },
    });
    const changed = again("change its arguments");
    expect(changed).toMatchObject({ kind: "submit", context });
    expect(changed).not.toMatchObject({ request });
  });

  it("does another thing under the id of a call: another key", () => {
    const { tale } = told(["do", "do another under its id"], "draft");
    const keys = tale.map(({ action }) => {
      const facts =
        action !== "none" && action.kind === "submit" && interpret(action.request, action.context);
      return facts !== false && facts.kind === "valid" ? facts.key : "none";
    });
    expect(new Set(keys).size).toBe(2);
    expect(keys).not.toContain("none");
  });

  it("turns the clock past the lifetime of a request, sets the policy, and takes the right of the latest call", () => {
    expect(lastOf("draft", "expire")).toEqual({ kind: "advance_clock", by: guardedProfile.approvalLifetime });
    const limit = { kind: "limit", maxCopies: 3 } as const;
    expect(lastOf("draft", "change")).toEqual({ kind: "change_policy", to: limit });
    expect(lastOf("draft", "require")).toEqual({
      kind: "change_policy",
      to: { ...limit, approval: "required" },
    });
    expect(lastOf("draft", "do not require")).toEqual({ kind: "change_policy", to: limit });
    expect(lastOf("draft", "ask", "take the right")).toEqual({
      kind: "set_capability",
      capability: { principal: "p1", tenant: "t1", tool: "draft", resource: "drafts" },
      held: false,
    });
  });

  it("kills the executor at rest or after a commit, and restarts it only when it is down", () => {
    expect(lastOf("draft", "die")).toEqual({ kind: "crash", where: { kind: "parked" } });
    expect(lastOf("draft", "do", "die after the commit")).toEqual({
      kind: "crash",
      where: { kind: "at", attempt: "a1", at: "after_commit" },
    });
    expect(lastOf("draft", "restart")).toBe("none");
    expect(lastOf("draft", "die", "restart")).toEqual({ kind: "restart" });
  });

  it("is none where it does not apply", () => {
    const early: readonly Move[] = [
      "advance",
      "advance first",
      "finish",
      "cancel",
      "resume",
      "resume badly",
      "resume the first",
      "grant",
      "grant the first",
      "deny",
      "deny the first",
      "ask the same",
      "ask under its id",
      "change its arguments",
      "take the right",
      "die after the commit",
    ];
    expect(early.map((move) => lastOf("draft", move))).toEqual(early.map(() => "none"));
  });
});
