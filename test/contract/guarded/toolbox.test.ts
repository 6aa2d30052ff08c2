import { describe, expect, it } from "vitest";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import { remembered } from "../../../src/contract/remembered.js";
import { contractFor, interpretFor, simplerFor } from "../../../src/contract/tool.js";
import type { Context } from "../../../src/model/vocabulary.js";

const callTo = (tool: string): Context => ({
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  principal: "p1",
  dispatch: { tool, step: 0, replaces: "none", sideEffects: "not_permitted" },
});
const ticket = JSON.stringify({ incident: "INC-001", title: "x", details: "y" });

describe("a toolbox", () => {
  it("asks the tool that a call goes to", () => {
    expect(interpretFor(guardedContract)(ticket, callTo("create_ticket"))).toMatchObject({
      kind: "valid",
      key: "INC-001",
      tool: { effect: "write", resource: "tickets", role: "ticket_approver" },
    });
    // The same text is no draft.
    expect(interpretFor(guardedContract)(ticket, callTo("draft"))).toEqual({
      kind: "invalid",
      code: "shape",
    });
  });

  it("refuses a tool that is not in it", () => {
    const contract = contractFor(guardedContract, callTo("delete_everything"));
    expect(contract.interpret(ticket)).toEqual({ kind: "invalid", code: "unknown_tool" });
    expect(contract.accepts({}, ticket)).toBe(false);
  });

  it("is remembered with its tools", () => {
    const contract = remembered(guardedContract);
    const ask = interpretFor(contract);
    expect(ask(ticket, callTo("create_ticket"))).toBe(ask(ticket, callTo("create_ticket")));
  });

  it("simplifies a request as a request for the tool that it goes to, or that accepts it", () => {
    const simpler = simplerFor(guardedContract);
    const long = JSON.stringify({ incident: "INC-002", title: "login fails", details: "from INC" });
    for (const text of [...simpler(long, callTo("create_ticket")), ...simpler(long)]) {
      expect(interpretFor(guardedContract)(text, callTo("create_ticket")).kind).toBe("valid");
    }
    expect(simpler(long).length).toBeGreaterThan(0);
  });

  it("has one tool without a business key that does something, since a key would hide every second execution", () => {
    const facts = interpretFor(guardedContract)(
      JSON.stringify({ service: "search", message: "x" }),
      callTo("notify_oncall"),
    );
    expect(facts).toMatchObject({ key: "", tool: { effect: "external", resource: "oncall/search" } });
  });

  it("holds a reduced value against the whole one, and a question against the fixed one", () => {
    const tool = contractFor(guardedContract, callTo("create_ticket"));
    const value = { ticket: "TCK-001", title: "x", details: "y" };
    expect([
      tool.acceptsPart?.(value, ticket),
      tool.acceptsPart?.({ ...value, contact: "a@b.example" }, ticket),
    ]).toEqual([true, false]);
    expect([tool.acceptsQuestion?.({ question: "which_one" }), tool.acceptsQuestion?.(value)]).toEqual([
      true,
      false,
    ]);
  });
});
