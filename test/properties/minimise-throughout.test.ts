import { describe, expect, it } from "vitest";
import type { Action, AttemptName, Context } from "../../src/model/vocabulary.js";
import { smallerThroughout } from "../../src/properties/minimise-throughout.js";

const submit = (attempt: AttemptName, request: string, context: Partial<Context> = {}): Action => ({
  kind: "submit",
  attempt,
  request,
  context: { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1", ...context },
  faults: [],
});
const changed = (attempt: AttemptName, request: string): Action => ({
  kind: "retry_changed",
  attempt,
  of: "a1",
  request,
  faults: [],
});

/** What each request may be replaced by. */
const table =
  (steps: Readonly<Record<string, readonly string[]>>) =>
  (request: string): readonly string[] =>
    steps[request] ?? [];

describe("a value made simpler throughout", () => {
  it("is one of the context that several submissions share, whatever else they are", () => {
    const list = [
      submit("a1", "x", { tenant: "t2", principal: "p2" }),
      submit("a2", "y", { tenant: "t2", runId: "r2" }),
      submit("a3", "z", { tenant: "t3", principal: "p2" }),
    ];
    expect(smallerThroughout(list, table({}))).toEqual([
      [submit("a1", "x", { principal: "p2" }), submit("a2", "y", { runId: "r2" }), list[2]],
      [submit("a1", "x", { tenant: "t2" }), list[1], submit("a3", "z", { tenant: "t3" })],
    ]);
  });

  it("is one of the request in whatever action carries it", () => {
    const list = [
      submit("a1", '{"j":3,"c":1}'),
      { kind: "observe" } as const,
      changed("a2", '{"c":2,"j":3}'),
    ];
    const simpler = table({
      '{"j":3,"c":1}': ['{"j":1,"c":1}', '{"j":2,"c":1}'],
      '{"c":2,"j":3}': ['{"j":2,"c":2}', '{"j":3,"c":1}'],
    });
    expect(smallerThroughout(list, simpler)).toEqual([
      [submit("a1", '{"j":2,"c":1}'), { kind: "observe" }, changed("a2", '{"j":2,"c":2}')],
    ]);
  });

  it("tells a value that differs from one that is gone, and one field from another", () => {
    const simpler = table({
      '{"a":1,"b":1}': ['{"b":1}', '{"a":1}'],
      '{"a":1}': ["{}"],
      '{"a":2}': ['{"a":1}'],
    });
    const gone = [submit("a1", '{"a":1,"b":1}'), submit("a2", '{"a":1}'), submit("a3", '{"a":2}')];
    expect(smallerThroughout(gone, simpler)).toEqual([
      [submit("a1", '{"b":1}'), submit("a2", "{}"), submit("a3", '{"a":2}')],
    ]);
  });

  it("is never a step that changes two values, or none, or a request that is no object", () => {
    const simpler = table({
      '{"a":2,"b":2}': ['{"a":1,"b":1}'],
      '{ "a":2}': ['{"a":2}'],
      "[1]": ["[]"],
      no: ["n"],
    });
    const list = ['{"a":2,"b":2}', '{"a":2,"b":2}', '{ "a":2}', '{ "a":2}', "[1]", "[1]", "no", "no"].map(
      (request, index) => submit(`a${index}`, request),
    );
    expect(smallerThroughout(list, simpler)).toEqual([]);
  });

  it("is no call id, which is each submission's own", () => {
    const list = [submit("a1", "x", { callId: "shared" }), submit("a2", "x", { callId: "shared" })];
    expect(smallerThroughout(list, table({}))).toEqual([]);
  });

  it("is no request that becomes a plain retry", () => {
    expect(smallerThroughout([changed("a2", '{"a":1}'), changed("a3", '{"a":1}')], table({}))).toEqual([]);
  });
});
