import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, AttemptName, Context, Fault } from "../../src/model/vocabulary.js";
import { isOneMinimal, minimise } from "../../src/properties/minimise.js";

type List = readonly Action[];
type Verdict = "same" | "other" | "none";

const plain = (attempt: AttemptName): Context => ({
  tenant: "t1",
  runId: "r1",
  callId: `c-${attempt}`,
  principal: "p1",
});

const submit = (
  attempt: AttemptName,
  how: { request?: string; context?: Partial<Context>; faults?: readonly Fault[] } = {},
): Action => ({
  kind: "submit",
  attempt,
  request: how.request ?? "x",
  context: { ...plain(attempt), ...how.context },
  faults: how.faults ?? [],
});
const retry = (attempt: AttemptName, of: AttemptName, faults: readonly Fault[] = []): Action => ({
  kind: "retry",
  attempt,
  of,
  faults,
});
const changed = (
  attempt: AttemptName,
  of: AttemptName,
  request: string,
  faults: readonly Fault[] = [],
): Action => ({
  kind: "retry_changed",
  attempt,
  of,
  request,
  faults,
});
const resubmit = (attempt: AttemptName, of: AttemptName, request: string): Action => ({
  kind: "resubmit_new_key",
  attempt,
  of,
  request,
  faults: [],
});
const advance = (attempt: AttemptName): Action => ({ kind: "advance", attempt });
const finish = (attempt: AttemptName): Action => ({ kind: "finish", attempt });
const cancel = (attempt: AttemptName): Action => ({ kind: "cancel", attempt });
const limit = (maxCopies: number): Action => ({ kind: "change_policy", to: { kind: "limit", maxCopies } });
const remove: Action = { kind: "change_policy", to: { kind: "remove" } };
const arm: Action = { kind: "arm", fault: { kind: "receipt_ignored" } };
const observe: Action = { kind: "observe" };
const restart: Action = { kind: "restart" };
const crashed: Action = { kind: "crash", where: { kind: "parked" } };
const crashAt = (attempt: AttemptName): Action => ({
  kind: "crash",
  where: { kind: "at", attempt, at: "after_commit" },
});

/** A text of n letters has the n shorter ones as its simpler texts, shortest first. */
const shorter = (request: string): readonly string[] =>
  Array.from(request, (_, length) => request.slice(0, length));
const nothing = (): readonly string[] => [];

/** Runs `minimise` on a verdict that is a plain function, and notes every list it was asked about. */
const shrink = async (
  actions: List,
  verdict: (list: List) => Verdict | boolean,
  options: {
    simpler?: (request: string) => readonly string[];
    candidates?: number;
    milliseconds?: number;
    now?: () => number;
  } = {},
) => {
  const asked: List[] = [];
  const { simpler = nothing, candidates = 100_000, milliseconds, now } = options;
  const result = await minimise({
    actions,
    fails: async (list) => {
      asked.push(list);
      return answer(verdict(list));
    },
    simpler,
    budget: milliseconds === undefined ? { candidates } : { candidates, milliseconds },
    ...(now === undefined ? {} : { now }),
  });
  return { result, asked };
};

const answer = (verdict: Verdict | boolean): Verdict => {
  if (typeof verdict === "string") return verdict;
  return verdict ? "same" : "none";
};

const kindsOf = (list: List): readonly string[] => list.map(({ kind }) => kind);
const has = (list: List, ...actions: readonly Action[]): boolean =>
  actions.every((action) => list.some((one) => JSON.stringify(one) === JSON.stringify(action)));

describe("minimise", () => {
  it("hands an irreproducible list back untouched after one candidate", async () => {
    const list = [observe, restart];
    expect((await shrink(list, () => "other")).result).toEqual({
      actions: list,
      kind: "not_reproduced",
      candidatesTried: 1,
    });
    expect((await shrink(list, () => "none")).result).toEqual({
      actions: list,
      kind: "not_reproduced",
      candidatesTried: 1,
    });
  });

  it("shrinks a failure that needs nothing to nothing", async () => {
    const { result, asked } = await shrink([observe, restart], () => true);
    // The list itself; without its last; without its first too. The half of two is one, which is no chunk.
    expect(result).toEqual({ actions: [], kind: "one_minimal", candidatesTried: 3 });
    expect(asked).toEqual([[observe, restart], [observe], []]);
  });

  it("asks about the empty list only once", async () => {
    const { result, asked } = await shrink([], () => true);
    expect(result).toEqual({ actions: [], kind: "one_minimal", candidatesTried: 1 });
    expect(asked).toEqual([[]]);
  });

  it("drops halves and quarters from the end forward, then single actions", async () => {
    const list = [limit(3), observe, restart, arm, observe];
    const { result, asked } = await shrink(list, (one) => has(one, arm));
    expect(result).toEqual({ actions: [arm], kind: "one_minimal", candidatesTried: 7 });
    expect(asked).toEqual([
      list,
      // Three of five, then what is left of them.
      [limit(3), observe],
      [restart, arm, observe],
      // Two of three.
      [restart],
      [arm, observe],
      // One by one.
      [arm],
      [],
    ]);
  });

  it("keeps a needed subsequence in its order", async () => {
    const list = [observe, arm, observe, restart, crashed, arm, restart, observe];
    const inOrder = (one: List): boolean => {
      const kinds = kindsOf(one);
      return kinds.indexOf("restart") >= 0 && kinds.lastIndexOf("arm") > kinds.indexOf("restart");
    };
    const { result } = await shrink(list, inOrder);
    expect(result.actions).toEqual([restart, arm]);
    expect(result.kind).toBe("one_minimal");
  });

  it("never takes a candidate that fails in another way", async () => {
    const list = [observe, restart, arm];
    const verdict = (one: List): Verdict => (has(one, arm) ? (has(one, observe) ? "same" : "other") : "none");
    expect((await shrink(list, verdict)).result.actions).toEqual([observe, arm]);
  });

  it("never tries a candidate twice", async () => {
    const list = [observe, observe, observe, observe, arm, observe, observe];
    const { result, asked } = await shrink(list, (one) => has(one, arm) && one.length >= 3);
    const texts = asked.map((one) => JSON.stringify(one));
    expect(new Set(texts).size).toBe(texts.length);
    expect(result.candidatesTried).toBe(texts.length);
    expect(result.actions).toHaveLength(3);
  });

  it("takes lists that differ in the order of properties for one candidate", async () => {
    // The contract offers the request itself as a simpler one; the list that comes of it is no new one.
    const swapped: Action = { faults: [], request: "x", kind: "submit", context: plain("a1"), attempt: "a1" };
    const simpler = (request: string): readonly string[] => (request === "x" ? ["x"] : []);
    const { result, asked } = await shrink([swapped], (one) => one.length === 1, { simpler });
    expect(result).toEqual({ actions: [swapped], kind: "one_minimal", candidatesTried: 2 });
    expect(asked).toEqual([[swapped], []]);
  });

  it("ends although a tool's simpler requests go in a circle", async () => {
    const simpler = (request: string): readonly string[] => [request === "x" ? "y" : "x"];
    const { result } = await shrink([submit("a1")], (one) => one.length === 1, { simpler });
    expect(result).toEqual({
      actions: [submit("a1", { request: "y" })],
      kind: "one_minimal",
      candidatesTried: 3,
    });
  });

  it("rejects when the question cannot be answered", async () => {
    const broken = minimise({
      actions: [observe],
      fails: () => Promise.reject(new Error("executor gone")),
      simpler: nothing,
      budget: { candidates: 9 },
    });
    await expect(broken).rejects.toThrow("executor gone");
  });
});

describe("minimise on attempts", () => {
  it("drops the actions of an attempt with its submission", async () => {
    const list = [submit("a1"), advance("a1"), cancel("a1"), crashAt("a1"), arm];
    const { result, asked } = await shrink(list, (one) => has(one, arm));
    expect(result.actions).toEqual([arm]);
    // What is asked about is always repaired.
    for (const one of asked) {
      if (!has(one, submit("a1"))) expect(kindsOf(one).filter((kind) => kind !== "arm")).toEqual([]);
    }
  });

  it("lets a retry that is needed alone do as a submission, with the name it had", async () => {
    const list = [
      submit("a1", { request: "x", context: { tenant: "t2" } }),
      retry("a2", "a1", [{ kind: "bad_output" }]),
      finish("a2"),
      retry("a3", "a2"),
    ];
    const { result } = await shrink(list, (one) => has(one, finish("a2")));
    expect(result.actions).toEqual([submit("a2"), finish("a2")]);
  });

  it("keeps a retry that must be one", async () => {
    const list = [submit("a1"), changed("a2", "a1", "xx"), finish("a2")];
    const { result } = await shrink(
      list,
      (one) => kindsOf(one).includes("retry") || kindsOf(one).includes("retry_changed"),
    );
    expect(result.actions).toEqual([submit("a1"), retry("a2", "a1")]);
  });

  it("makes two advances one finish where that still fails", async () => {
    const list = [submit("a1"), advance("a1"), advance("a1"), advance("a1")];
    const moves = (one: List): number =>
      one.reduce((sum, { kind }) => sum + (kind === "finish" ? 9 : kind === "advance" ? 1 : 0), 0);
    expect((await shrink(list, (one) => moves(one) >= 3)).result.actions).toEqual([
      submit("a1"),
      finish("a1"),
    ]);
    expect((await shrink(list, (one) => moves(one) === 3)).result.actions).toEqual(list);
    const watched = [submit("a1"), advance("a1"), advance("a1"), advance("a1"), observe];
    const result = (await shrink(watched, (one) => moves(one) >= 3 && has(one, observe))).result;
    expect(result.actions).toEqual([submit("a1"), finish("a1"), observe]);
  });

  it("does not merge advances of two attempts, or of one attempt with something between", async () => {
    const two = [submit("a1"), submit("a2"), advance("a1"), advance("a2")];
    const kept =
      (list: List) =>
      (one: List): boolean =>
        kindsOf(one).includes("finish") || JSON.stringify(one) === JSON.stringify(list);
    expect((await shrink(two, kept(two))).result.actions).toEqual(two);
    const apart = [submit("a1"), advance("a1"), observe, advance("a1")];
    expect((await shrink(apart, kept(apart))).result.actions).toEqual(apart);
    const unlike = [submit("a1"), advance("a1"), cancel("a1"), advance("a1")];
    const { asked } = await shrink(unlike, (one) => one === unlike);
    expect(asked.flatMap(kindsOf)).not.toContain("finish");
  });

  it("simplifies every argument that the failure does not need", async () => {
    const list = [
      submit("a1", {
        request: "xxxx",
        context: { tenant: "t2", runId: "r7", callId: "other", principal: "p9" },
        faults: [{ kind: "bad_output" }, { kind: "busy", stage: "execute" }, { kind: "receipt_ignored" }],
      }),
      limit(9),
      crashAt("a1"),
    ];
    const verdict = (one: List): boolean =>
      one.length === 3 &&
      one.some(
        (action) =>
          action.kind === "submit" &&
          action.request.length >= 2 &&
          action.faults.some(({ kind }) => kind === "busy"),
      );
    const { result } = await shrink(list, verdict, { simpler: shorter });
    expect(result).toEqual({
      actions: [
        submit("a1", { request: "xx", faults: [{ kind: "busy", stage: "execute" }] }),
        limit(3),
        crashed,
      ],
      kind: "one_minimal",
      candidatesTried: result.candidatesTried,
    });
  });

  it("simplifies a value that two submissions must share", async () => {
    const request = (job: number, copies: number): string => JSON.stringify({ job, copies });
    const simpler = (text: string): readonly string[] => {
      const { job, copies }: { job: number; copies: number } = JSON.parse(text);
      return [...(job > 1 ? [request(1, copies)] : []), ...(copies > 1 ? [request(job, copies - 1)] : [])];
    };
    const list = [
      submit("a1", { request: request(3, 2), context: { tenant: "t2" } }),
      submit("a2", { request: request(3, 4), context: { tenant: "t2" } }),
    ];
    // One job of one tenant, asked for with two different numbers of copies.
    const conflict = ([one, two]: List): boolean => {
      if (one?.kind !== "submit" || two?.kind !== "submit") return false;
      const [left, right] = [JSON.parse(one.request), JSON.parse(two.request)];
      return (
        one.context.tenant === two.context.tenant && left.job === right.job && left.copies < right.copies
      );
    };
    const { result } = await shrink(list, conflict, { simpler });
    expect(result.actions).toEqual([
      submit("a1", { request: request(1, 1) }),
      submit("a2", { request: request(1, 2) }),
    ]);
  });
});

describe("minimise within a budget", () => {
  const list = [observe, restart, crashed, arm];
  const needsArm = (one: List): boolean => has(one, arm);
  // By hand: the list; its first half ("none"); its second half ("same"); [crashed]; [arm]; [].
  const whole = [list, [observe, restart], [crashed, arm], [crashed], [arm], []];

  it.each([
    [0, list, "out_of_budget"],
    [1, list, "out_of_budget"],
    [2, list, "out_of_budget"],
    [3, [crashed, arm], "out_of_budget"],
    [4, [crashed, arm], "out_of_budget"],
    [5, [arm], "out_of_budget"],
    [6, [arm], "one_minimal"],
    [7, [arm], "one_minimal"],
  ] as const)("asks at most %i times", async (candidates, actions, kind) => {
    const { result, asked } = await shrink(list, needsArm, { candidates });
    expect(asked).toEqual(whole.slice(0, candidates));
    expect(result).toEqual({ actions, kind, candidatesTried: Math.min(candidates, 6) });
  });

  it("stops when its time is up, and not before", async () => {
    // The clock is read once at the start, then before each candidate: 100, then 110, 120, …
    const clock = () => {
      let time = 90;
      return () => {
        time += 10;
        return time;
      };
    };
    const within = async (milliseconds: number) =>
      (await shrink(list, needsArm, { milliseconds, now: clock() })).result;
    expect(await within(30)).toEqual({ actions: list, kind: "out_of_budget", candidatesTried: 2 });
    expect(await within(31)).toEqual({ actions: [crashed, arm], kind: "out_of_budget", candidatesTried: 3 });
    expect(await within(61)).toEqual({ actions: [arm], kind: "one_minimal", candidatesTried: 6 });
    expect(await within(0)).toEqual({ actions: list, kind: "out_of_budget", candidatesTried: 0 });
  });

  it("does not go on when a clock turns back", async () => {
    const times = [0, 0, 50, 0, 0, 0, 0, 0];
    const { result } = await shrink(list, needsArm, { milliseconds: 10, now: () => times.shift() ?? 0 });
    expect(result).toEqual({ actions: list, kind: "out_of_budget", candidatesTried: 1 });
  });

  it("reads no clock where the budget has no time", async () => {
    const { result } = await shrink(list, needsArm, {
      now: () => {
        throw new Error("clock read");
      },
    });
    expect(result.kind).toBe("one_minimal");
  });

  it("measures real time by default", async () => {
    expect((await shrink(list, needsArm, { milliseconds: 60_000 })).result.kind).toBe("one_minimal");
    expect((await shrink(list, needsArm, { milliseconds: -1 })).result.kind).toBe("out_of_budget");
  });
});

describe("isOneMinimal", () => {
  const ask = async (
    actions: List,
    verdict: (list: List) => Verdict | boolean,
    simpler: (request: string) => readonly string[] = nothing,
  ) => {
    const asked: List[] = [];
    const result = await isOneMinimal({
      actions,
      fails: async (list) => {
        asked.push(list);
        return answer(verdict(list));
      },
      simpler,
    });
    return { result, asked };
  };

  it("says so after asking about every neighbour once, and not about the list itself", async () => {
    const { result, asked } = await ask([arm, arm], (one) => one.length === 2);
    expect(result).toEqual({ kind: "one_minimal" });
    expect(asked).toEqual([[arm]]);
  });

  it("hands back the first smaller neighbour that fails", async () => {
    const { result, asked } = await ask([arm, observe, restart], (one) => has(one, arm));
    expect(result).toEqual({ kind: "smaller", actions: [arm, restart] });
    expect(asked).toEqual([
      [observe, restart],
      [arm, restart],
    ]);
  });

  it("finds a simpler argument, and one that is simpler in two places at once", async () => {
    const one = await ask([limit(0)], (list) => list.length === 1);
    expect(one.result).toEqual({ kind: "smaller", actions: [limit(3)] });
    const list = [submit("a1", { context: { tenant: "t2" } }), submit("a2", { context: { tenant: "t2" } })];
    const sameTenant = ([left, right]: List): boolean =>
      left?.kind === "submit" && right?.kind === "submit" && left.context.tenant === right.context.tenant;
    expect((await ask(list, sameTenant)).result).toEqual({
      kind: "smaller",
      actions: [submit("a1"), submit("a2")],
    });
  });

  it("takes a step that changes nothing for no step", async () => {
    const { result, asked } = await ask(
      [submit("a1")],
      (one) => one.length === 1,
      (request) => [request],
    );
    expect(result).toEqual({ kind: "one_minimal" });
    expect(asked).toEqual([[]]);
  });

  it("takes another failure for none", async () => {
    expect((await ask([arm], () => "other")).result).toEqual({ kind: "one_minimal" });
  });
});

/* A brute force that shares nothing with the minimiser: what dropping or simplifying one thing may leave. */

const withoutOrphans = (list: List): List => {
  const kept: Action[] = [];
  const known = new Set<string>();
  for (const action of list) {
    const needed =
      "of" in action
        ? action.of
        : action.kind === "crash"
          ? action.where.kind === "at" && action.where.attempt
          : action.kind !== "submit" && "attempt" in action && action.attempt;
    if (needed && !known.has(needed)) continue;
    if ("faults" in action) known.add(action.attempt);
    kept.push(action);
  }
  return kept;
};

const replacing = (list: List, index: number, ...by: readonly Action[]): List => [
  ...list.slice(0, index),
  ...by,
  ...list.slice(index + 1),
];

const oneStepSmaller = (list: List, simpler: (request: string) => readonly string[]): readonly List[] =>
  list.flatMap((action, index) => {
    const all: List[] = [withoutOrphans(replacing(list, index))];
    const put = (one: Action) => all.push(replacing(list, index, one));
    if ("faults" in action) {
      for (let drop = 0; drop < action.faults.length; drop += 1) {
        put({ ...action, faults: [...action.faults.slice(0, drop), ...action.faults.slice(drop + 1)] });
      }
    }
    if ("faults" in action && "request" in action)
      for (const request of simpler(action.request)) put({ ...action, request });
    if (action.kind === "submit") {
      put({ ...action, context: { ...action.context, tenant: "t1" } });
      put({ ...action, context: { ...action.context, runId: "r1" } });
      put({ ...action, context: { ...action.context, callId: `c-${action.attempt}` } });
      put({ ...action, context: { ...action.context, principal: "p1" } });
    }
    if (action.kind === "retry_changed" || action.kind === "resubmit_new_key") {
      put(retry(action.attempt, action.of, action.faults));
    }
    if (action.kind === "crash") put(crashed);
    if (action.kind === "change_policy") {
      put(limit(3));
      if (action.to.kind === "limit" && action.to.maxCopies > 3) put(limit(action.to.maxCopies - 1));
      if (action.to.kind === "limit" && action.to.maxCopies < 3) put(limit(action.to.maxCopies + 1));
    }
    const next = list[index + 1];
    if (action.kind === "advance" && next?.kind === "advance" && next.attempt === action.attempt) {
      all.push([...list.slice(0, index), finish(action.attempt), ...list.slice(index + 2)]);
    }
    return all.filter((one) => JSON.stringify(one) !== JSON.stringify(list));
  });

const attempts = ["a1", "a2", "a3", "a4"] as const;
const faultPlans: readonly (readonly Fault[])[] = [
  [],
  [{ kind: "bad_output" }],
  [
    { kind: "busy", stage: "execute" },
    { kind: "throw_at", at: "output_check" },
  ],
];

/** Lists of up to 40 actions over four attempts, all repaired. */
const lists: fc.Arbitrary<List> = fc
  .array(fc.record({ kind: fc.nat(13), who: fc.nat(3), other: fc.nat(3), value: fc.nat(9) }), {
    maxLength: 38,
  })
  .map((draws) => {
    const made = new Set<AttemptName>();
    const list = draws.map(({ kind, who, other, value }): Action => {
      const attempt = attempts[who] ?? "a1";
      const faults = faultPlans[value % 3] ?? [];
      if (!made.has(attempt) || kind < 3) {
        // Names are given once; a further submission of a name is some other action.
        if (made.has(attempt)) return kind === 0 ? observe : kind === 1 ? restart : arm;
        made.add(attempt);
        const of = attempts[other] ?? "a1";
        if (of === attempt || value < 4) {
          const context = value % 2 === 0 ? {} : { tenant: "t2", principal: `p${value}` };
          return submit(attempt, { request: "x".repeat(value % 4), context, faults });
        }
        return value < 6
          ? retry(attempt, of, faults)
          : value < 8
            ? changed(attempt, of, "xxx", faults)
            : resubmit(attempt, of, "xx");
      }
      if (kind < 6) return advance(attempt);
      if (kind < 8) return value % 2 === 0 ? finish(attempt) : cancel(attempt);
      if (kind < 10) return value === 0 ? remove : limit(value);
      if (kind < 11) return crashAt(attempt);
      return kind === 11 ? crashed : kind === 12 ? restart : observe;
    });
    return withoutOrphans(list);
  });

const weigh = (list: List): number =>
  Array.from(JSON.stringify(list)).reduce(
    (sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973,
    7,
  );

/** Failures of every temper; each says how a list fails, and most lists drawn fail in it. */
const failures: Readonly<Record<string, (list: List, seed: number) => Verdict>> = {
  "needs a subset": (list, seed) => {
    const needed = ["submit", "advance", "observe", "change_policy"].slice(seed % 3, (seed % 3) + 2);
    return needed.every((kind) => kindsOf(list).includes(kind)) ? "same" : "none";
  },
  "needs an order": (list, seed) => {
    const order = seed % 2 === 0 ? ["submit", "advance", "finish"] : ["change_policy", "submit", "crash"];
    const rest = kindsOf(list).reduce((left, kind) => (left[0] === kind ? left.slice(1) : left), order);
    return rest.length === 0 ? "same" : "none";
  },
  "needs a parity": (list, seed) => {
    const count = kindsOf(list).filter((kind) => kind === "advance" || kind === "observe").length;
    return count % 2 === seed % 2 ? "same" : count % 3 === 0 ? "other" : "none";
  },
  "needs arguments": (list, seed) => {
    const faults = list.flatMap((action) => ("faults" in action ? action.faults : [])).length;
    const letters = list.reduce(
      (sum, action) => sum + ("faults" in action && "request" in action ? action.request.length : 0),
      0,
    );
    return faults >= (seed % 3) + 1 && letters >= 2 ? "same" : "other";
  },
  "needs no reason at all": (list, seed) => (weigh(list) % 5 <= (seed % 3) + 1 ? "same" : "other"),
};

describe.each(Object.entries(failures))("a minimal list whose failure %s", (_, failure) => {
  it("still fails in the same way, and no smaller neighbour does", async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(11), async (list, seed) => {
        fc.pre(failure(list, seed) === "same");
        const { result, asked } = await shrink(list, (one) => failure(one, seed), { simpler: shorter });
        expect(result.kind).toBe("one_minimal");
        expect(failure(result.actions, seed)).toBe("same");
        expect(withoutOrphans(result.actions)).toEqual(result.actions);
        const smaller = oneStepSmaller(result.actions, shorter).filter(
          (one) => failure(one, seed) === "same",
        );
        expect(smaller).toEqual([]);
        const again = {
          actions: result.actions,
          fails: async (one: List) => failure(one, seed),
          simpler: shorter,
        };
        expect(await isOneMinimal(again)).toEqual({ kind: "one_minimal" });
        expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(result.candidatesTried);
        for (const one of asked) expect(withoutOrphans(one)).toEqual(one);
      }),
      { numRuns: 60, seed: 20_260_101 },
    );
  });

  it("is as far as the budget went, and says so", async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(11), fc.integer({ min: 1, max: 30 }), async (list, seed, candidates) => {
        fc.pre(failure(list, seed) === "same");
        const bounded = await shrink(list, (one) => failure(one, seed), { simpler: shorter, candidates });
        const free = await shrink(list, (one) => failure(one, seed), { simpler: shorter });
        // The same questions in the same order, up to the budget; the answer is the last list that failed.
        expect(bounded.asked).toEqual(free.asked.slice(0, candidates));
        expect(bounded.result.candidatesTried).toBe(Math.min(candidates, free.asked.length));
        expect(bounded.result.actions).toEqual(
          bounded.asked.findLast((one) => failure(one, seed) === "same"),
        );
        expect(bounded.result.kind).toBe(free.asked.length <= candidates ? "one_minimal" : "out_of_budget");
      }),
      { numRuns: 40, seed: 20_260_102 },
    );
  });
});

describe("a list of 40 actions", () => {
  it("shrinks to the few that matter within 100 candidates", async () => {
    const noise = Array.from({ length: 9 }, (_, index) => [observe, limit(index), advance("a1"), arm]).flat();
    const list = [submit("a1"), ...noise.slice(0, 20), crashed, ...noise.slice(20), restart, observe];
    expect(list).toHaveLength(40);
    const { result } = await shrink(list, (one) => has(one, submit("a1"), crashed, restart));
    expect(result.actions).toEqual([submit("a1"), crashed, restart]);
    expect(result.kind).toBe("one_minimal");
    expect(result.candidatesTried).toBeLessThan(100);
  });
});
