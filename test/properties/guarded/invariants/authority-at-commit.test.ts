import { describe, expect, it } from "vitest";
import type { Grant, Happening } from "../../../../src/model/vocabulary.js";
import { page, region, right } from "../../../model/guarded/fixture.js";
import { effectRow, ended, stepRow, submitted } from "../../../model/guarded/history.js";
import {
  breach,
  granted,
  lastOf,
  moves,
  occurs,
  policyAt,
  read,
  resumes,
  sameCall,
  spent,
  starts,
} from "../history.js";

const promise = "authority-at-commit";
const paging = right("notify_oncall", "oncall/search");

const set = (capability: Grant, held: boolean): Happening => ({ kind: "capability_set", capability, held });
const commits = moves("a2", "after_business", spent);

function unrightful(history: readonly Happening[]) {
  return {
    at: lastOf(history),
    sentence: "While a2 moved, a2 committed what p1 had no right to do.",
    expected: "no effect, as p1 holds no capability for notify_oncall on oncall/search",
    seen: "effect of  of t1",
  };
}

describe("authority-at-commit", () => {
  it("forbids an effect for which the principal had lost the right while it stood before its business", () => {
    const history = [...resumes, set(paging, false), read(granted), ...commits];
    expect(breach(promise, history)).toEqual(unrightful(history));
    expect(occurs(promise, history)).toBe(true);
  });

  it("allows the attempt to be refused, and to commit once the right is back", () => {
    const loses = [...resumes, set(paging, false), read(granted)];
    expect(breach(promise, [...loses, read(granted)])).toBe("nothing");
    const regains = [...loses, set(paging, true), read(granted), ...commits];
    expect(breach(promise, regains)).toBe("nothing");
    expect(occurs(promise, regains)).toBe(true);
  });

  it("allows what was committed before the right was lost", () => {
    const history = [
      ...resumes,
      ...commits,
      set(paging, false),
      read(spent),
      ...moves("a2", "output_check", spent),
    ];
    expect(breach(promise, history)).toBe("nothing");
  });

  it("is vacuous while no right was taken", () => {
    expect(breach(promise, [...resumes, ...commits])).toBe("nothing");
    expect(occurs(promise, [...resumes, ...commits])).toBe(false);
    expect(occurs(promise, [...resumes, set(paging, true)])).toBe(false);
  });

  it.each<[string, Grant]>([
    ["tool", right("draft", "oncall/search")],
    ["resource", right("notify_oncall", "oncall/billing")],
    ["tenant", right("notify_oncall", "oncall/search", "t2")],
    ["principal", { ...paging, principal: "p2" }],
  ])("does not mind the loss of a right that differs in its %s", (_, other) => {
    expect(breach(promise, [...resumes, set(other, false), read(granted), ...commits])).toBe("nothing");
  });

  it("takes none of these for the right itself", () => {
    for (const other of [
      right("draft", "oncall/search"),
      right("notify_oncall", "oncall/billing"),
      right("notify_oncall", "oncall/search", "t2"),
      { ...paging, principal: "p2" },
    ]) {
      const history = [
        ...resumes,
        set(paging, false),
        read(granted),
        set(other, true),
        read(granted),
        ...commits,
      ];
      expect(breach(promise, history)).toEqual(unrightful(history));
    }
  });

  it("asks for the right that the call itself takes, whatever the effect's row says", () => {
    const history = [
      read(),
      set(right("read_config", "config/region"), false),
      ...starts("a1", "before_business", { steps: [stepRow] }, region),
      ...moves("a1", "after_business", { steps: [stepRow], effects: [effectRow] }),
    ];
    expect(breach(promise, history)).toMatchObject({
      expected: "no effect, as p1 holds no capability for read_config on config/region",
    });
  });

  it("does not mind attempts that leave no effect", () => {
    const policy = policyAt(1);
    const history = [
      read(),
      set(paging, false),
      submitted("a1", page, sameCall),
      ended("a1", 1, {
        status: "permission_denied",
        code: "capability",
        events: [],
        layers: { schema: "allow", business: "allow", capability: "escalate", approval: "not_reached" },
      }),
      read({ policy }),
    ];
    expect(breach(promise, history)).toBe("nothing");
    expect(occurs(promise, history)).toBe(true);
  });
});
