import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, AttemptName } from "../../src/model/vocabulary.js";
import { fewerSwitches, plainerOrders, switchesIn } from "../../src/properties/minimise-switches.js";

type List = readonly Action[];

const submit = (attempt: AttemptName): Action => ({
  kind: "submit",
  attempt,
  request: "x",
  context: { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" },
  faults: [],
});
const retry = (attempt: AttemptName, of: AttemptName): Action => ({ kind: "retry", attempt, of, faults: [] });
const advance = (attempt: AttemptName): Action => ({ kind: "advance", attempt });
const finish = (attempt: AttemptName): Action => ({ kind: "finish", attempt });
const cancel = (attempt: AttemptName): Action => ({ kind: "cancel", attempt });
const crashAt = (attempt: AttemptName): Action => ({
  kind: "crash",
  where: { kind: "at", attempt, at: "after_commit" },
});
const crash: Action = { kind: "crash", where: { kind: "parked" } };
const restart: Action = { kind: "restart" };
const remove: Action = { kind: "change_policy", to: { kind: "remove" } };
const observe: Action = { kind: "observe" };

/** Runs `fewerSwitches` on a verdict that is a plain function, and notes every list it was asked about. */
const reordered = async (actions: List, isSame: (list: List) => boolean, candidates = 10_000) => {
  const asked: List[] = [];
  const result = await fewerSwitches({
    actions,
    fails: async (list) => {
      asked.push(list);
      return isSame(list) ? "same" : "other";
    },
    budget: { candidates },
  });
  return { ...result, asked };
};

const always = (): boolean => true;
const inOrder = (list: List, ...wanted: List): boolean =>
  wanted.every(
    (action, index) => index === 0 || list.indexOf(action) > list.indexOf(wanted[index - 1] ?? action),
  );

describe("switches", () => {
  const [one, two] = [finish("a1"), finish("a2")];
  it.each<{ readonly of: string; readonly list: List; readonly switches: number }>([
    { of: "no action", list: [], switches: 0 },
    { of: "one action", list: [one], switches: 0 },
    { of: "one attempt", list: [submit("a1"), advance("a1"), cancel("a1"), one], switches: 0 },
    { of: "two attempts in turn", list: [submit("a1"), submit("a2"), one, two], switches: 3 },
    { of: "a retry, which is an attempt of its own", list: [submit("a1"), retry("a2", "a1")], switches: 1 },
    { of: "the operator alone", list: [remove, crash, restart, observe], switches: 0 },
    { of: "the operator in between", list: [submit("a1"), remove, one], switches: 2 },
    { of: "a kill on the way of an attempt", list: [submit("a1"), crashAt("a1"), restart], switches: 1 },
  ])("are $switches in a list of $of", ({ list, switches }) => {
    expect(switchesIn(list)).toBe(switches);
  });
});

describe("fewer switches", () => {
  it("puts each attempt in one piece if nothing depends on the order", async () => {
    const list = [submit("a1"), submit("a2"), advance("a1"), advance("a2"), finish("a1"), finish("a2")];
    const result = await reordered(list, always);
    expect(result.kind).toBe("swap_minimal");
    // Two actors take one switch at least.
    expect(result.switches).toBe(1);
    expect(switchesIn(result.actions)).toBe(1);
  });

  it("keeps the one switch that the failure needs", async () => {
    const [first, second, change] = [advance("a1"), finish("a1"), remove];
    const list = [submit("a1"), submit("a2"), first, finish("a2"), change, second];
    const result = await reordered(list, (candidate) => inOrder(candidate, first, change, second));
    // a1, operator, a1 are two switches; a2 adds one before or after all the rest.
    expect(result.switches).toBe(3);
    expect(inOrder(result.actions, first, change, second)).toBe(true);
  });

  it("moves no action before the one that makes its attempt", async () => {
    const list = [submit("a1"), submit("a2"), retry("a3", "a1"), finish("a2"), finish("a3"), finish("a1")];
    const result = await reordered(list, always);
    expect(result.switches).toBe(2);
    for (const candidate of result.asked) {
      expect(candidate.findIndex(({ kind }) => kind === "retry")).toBeGreaterThan(
        candidate.findIndex((action) => action.kind === "submit" && action.attempt === "a1"),
      );
    }
  });

  it("hands back a list that has no plainer order, without a question more than one", async () => {
    const list = [submit("a1"), remove, finish("a1"), observe];
    const result = await reordered(list, (candidate) => candidate === list);
    // Both the operator's pieces and both of a1's could be joined, which loses the failure; the list itself counts.
    expect(result.actions).toBe(list);
    expect(result).toMatchObject({ kind: "swap_minimal", switches: 3 });
    const joined = await reordered([submit("a1"), finish("a1"), observe], always);
    expect(joined).toMatchObject({ kind: "swap_minimal", switches: 1, candidatesTried: 1 });
  });

  it("tells a failure that does not come again from a budget that is spent", async () => {
    const list = [submit("a1"), submit("a2"), finish("a1"), finish("a2")];
    const lost = await reordered(list, () => false);
    expect(lost).toMatchObject({ kind: "not_reproduced", actions: list, switches: 3, candidatesTried: 1 });
    const unasked = await reordered(list, always, 0);
    expect(unasked).toMatchObject({ kind: "out_of_budget", actions: list, candidatesTried: 0 });
    const once = await reordered(list, (candidate) => candidate === list, 2);
    expect(once).toMatchObject({ kind: "out_of_budget", actions: list, candidatesTried: 2 });
  });

  it("stops where the time ends", async () => {
    const list = [submit("a1"), submit("a2"), finish("a1"), finish("a2")];
    let time = 0;
    const result = await fewerSwitches({
      actions: list,
      fails: async () => {
        time += 1;
        return time === 1 ? "same" : "none";
      },
      budget: { candidates: 100, milliseconds: 2 },
      now: () => time,
    });
    expect(result).toMatchObject({ kind: "out_of_budget", actions: list, candidatesTried: 2 });
  });

  it("leaves no swap of neighbouring blocks that has fewer switches and still fails", async () => {
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 5 }),
        async (list, picks) => {
          const pairs = picks
            .map(([one, other]) => [one % list.length, other % list.length].toSorted(byValue))
            .filter(([one, other]) => one !== other);
          const isSame = (candidate: List): boolean =>
            pairs.every((pair) =>
              inOrder(candidate, ...pair.flatMap((index) => list.slice(index, index + 1))),
            );
          const result = await reordered(list, isSame);
          expect(result.kind).toBe("swap_minimal");
          expect(isSame(result.actions)).toBe(true);
          expect(result.switches).toBe(switchesIn(result.actions));
          expect(result.switches).toBeLessThanOrEqual(switchesIn(list));
          expect(result.candidatesTried).toBe(result.asked.length);
          expect(textsOf(result.asked).size).toBe(result.asked.length);
          for (const actor of new Set(list.map(actorOf))) {
            expect(ofActor(result.actions, actor)).toEqual(ofActor(list, actor));
          }
          for (const order of swapsWithFewer(result.actions)) expect(isSame(order)).toBe(false);
        },
      ),
    );
  });
});

describe("plainer orders", () => {
  it("are the valid swaps of any two neighbouring blocks without a common actor that have fewer switches", () => {
    fc.assert(
      fc.property(lists, (list) => {
        expect(textsOf(plainerOrders(list))).toEqual(textsOf(swapsWithFewer(list)));
      }),
    );
  });

  it("come with the fewest switches first", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const switches = plainerOrders(list).map(switchesIn);
        expect(switches).toEqual(switches.toSorted(byValue));
      }),
    );
  });
});

const byValue = (one: number, other: number): number => one - other;

const textsOf = (orders: readonly List[]): ReadonlySet<string> =>
  new Set(orders.map((order) => JSON.stringify(order)));

/** Told once more, so that a mistake in the one is not one in the other. */
const actorOf = (action: Action): string => {
  const named = /"attempt":"(a\d+)"/.exec(JSON.stringify(action));
  return named?.[1] ?? "operator";
};

const ofActor = (list: List, actor: string): List => list.filter((action) => actorOf(action) === actor);

const isValid = (list: List): boolean =>
  list.every((action, index) => {
    const before = list.slice(0, index).map(actorOf);
    if (action.kind === "retry") return before.includes(action.of);
    return action.kind === "submit" || actorOf(action) === "operator" || before.includes(actorOf(action));
  });

const countSwitches = (list: List): number =>
  list.filter((action, index) => index > 0 && actorOf(list[index - 1] ?? action) !== actorOf(action)).length;

/** Blocks are cut anywhere here, not only where the actor changes; moving one action is one of these swaps. */
const swapsWithFewer = (list: List): readonly List[] => {
  const cuts = [...list.keys(), list.length];
  return cuts
    .flatMap((from) => cuts.flatMap((middle) => cuts.map((end) => ({ from, middle, end }))))
    .filter(({ from, middle, end }) => from < middle && middle < end)
    .map(({ from, middle, end }) => [
      ...list.slice(0, from),
      ...list.slice(middle, end),
      ...list.slice(from, middle),
      ...list.slice(end),
    ])
    .filter((order) => isValid(order) && countSwitches(order) < countSwitches(list))
    .filter((order) =>
      [...new Set(list.map(actorOf))].every((actor) =>
        ofActor(list, actor).every((action, index) => ofActor(order, actor)[index] === action),
      ),
    );
};

/** What each actor does in turn; no two actions are equal, so that each can be told from the others. */
const scripts: { readonly [actor: string]: List } = {
  a1: [submit("a1"), advance("a1"), cancel("a1"), finish("a1")],
  a2: [submit("a2"), crashAt("a2"), advance("a2"), finish("a2")],
  a3: [retry("a3", "a1"), advance("a3"), finish("a3"), cancel("a3")],
  operator: [remove, crash, restart, observe],
};

const played = (turns: readonly string[]): List =>
  turns.flatMap((actor, index) => {
    const before = turns.slice(0, index);
    const turn = before.filter((other) => other === actor).length;
    return scripts[actor]?.slice(turn, turn + 1) ?? [];
  });

/** Valid lists of 1 to 10 actions. */
const lists: fc.Arbitrary<List> = fc
  .array(fc.constantFrom(...Object.keys(scripts)), { maxLength: 9 })
  .map((turns) => played(["a1", ...turns]));
