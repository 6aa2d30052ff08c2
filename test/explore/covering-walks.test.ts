import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coveringWalks } from "../../src/explore/covering-walks.js";
import type { DirectedGraph } from "../../src/explore/directed-graph.js";
import { createEdgeCoverage } from "../../src/explore/edge-coverage.js";
import { never } from "../../src/explore/open-distances.js";
import { createOpenEdges, type OpenEdges } from "../../src/explore/open-edges.js";
import { createWalker } from "../../src/explore/walker.js";

type Pair = readonly [from: number, to: number];

/** Edges get their numbers in the order of the list, which must be in order of the nodes they leave. */
const graphOf = (pairs: readonly Pair[]): DirectedGraph => {
  const nodes = 1 + Math.max(0, ...pairs.flat());
  const firstEdge = Uint32Array.from({ length: nodes + 1 }, (_, node) => {
    const first = pairs.findIndex(([from]) => from >= node);
    return first < 0 ? pairs.length : first;
  });
  return { firstEdge, target: Uint32Array.from(pairs, ([, to]) => to) };
};

const sorted = (pairs: readonly Pair[]): readonly Pair[] => pairs.toSorted(([one], [other]) => one - other);

/** What greedy walking means, told naively over plain lists. */
const naive = (pairs: readonly Pair[]) => {
  const open = new Set(pairs.keys());
  const blocked = new Set<number>();
  const walked = new Set<number>();
  const from = (node: number): readonly number[] =>
    [...pairs.keys()].filter((edge) => pairs[edge]?.[0] === node && !blocked.has(edge));
  const isOpen = (edge: number): boolean => open.has(edge) && !blocked.has(edge);
  /** Steps to the nearest node that an open edge leaves. */
  const distance = (start: number): number => {
    const depth = new Map([[start, 0]]);
    // A map hands out what is added to it on the way, in order: it is the queue.
    for (const [node, steps] of depth) {
      if (from(node).some(isOpen)) return steps;
      for (const edge of from(node)) {
        const next = pairs[edge]?.[1] ?? 0;
        if (!depth.has(next)) depth.set(next, steps + 1);
      }
    }
    return Number.POSITIVE_INFINITY;
  };
  return { open, walked, blocked, isOpen, distance };
};

/** Checks a walk step by step against `naive`: linked, greedy, by shortest ways, and not ended too early. */
const expectGreedy = (
  pairs: readonly Pair[],
  walk: readonly number[],
  told: Told,
  mostSteps: number,
): void => {
  let node = 0;
  let ahead = told.distance(0);
  expect(walk.length).toBeLessThanOrEqual(mostSteps);
  for (const [index, edge] of walk.entries()) {
    expect(pairs[edge]?.[0]).toBe(node);
    expect(told.blocked.has(edge)).toBe(false);
    expect(told.isOpen(edge)).toBe(ahead === 0);
    told.open.delete(edge);
    node = pairs[edge]?.[1] ?? 0;
    const before = ahead;
    ahead = before === 0 ? told.distance(node) : before - 1;
    if (before > 0) expect(told.distance(node)).toBe(ahead);
    if (index === walk.length - 1) expect(walk.length + ahead).toBeGreaterThanOrEqual(mostSteps);
  }
};

/** Every node is led to from an earlier one; the other edges go anywhere. */
const connectedPairs = (nodes: number, others: number): fc.Arbitrary<readonly Pair[]> =>
  fc
    .tuple(
      fc.tuple(
        ...Array.from({ length: nodes - 1 }, (_, node) => fc.tuple(fc.nat(node), fc.constant(node + 1))),
      ),
      fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: others, size: "max" }),
    )
    .map(([tree, rest]) => sorted([...tree, ...rest]));

/** Every node is led to from an earlier one; the other edges lead to later ones, too. */
const acyclicPairs = (nodes: number, others: number): fc.Arbitrary<readonly Pair[]> =>
  connectedPairs(nodes, others).map((pairs) =>
    sorted(
      pairs.filter(([from, to]) => from !== to).map(([from, to]) => (from < to ? [from, to] : [to, from])),
    ),
  );

/** One of the edges becomes a chain, so that ways are long where cycles make bounds climb slowly. */
const stretched = (pairs: readonly Pair[], pick: number, links: number): readonly Pair[] => {
  const at = pick % pairs.length;
  const [from, to] = pairs[at] ?? [0, 0];
  const free = 1 + Math.max(...pairs.flat());
  const chain = Array.from(
    { length: links + 1 },
    (_, link): Pair => [link === 0 ? from : free + link - 1, link === links ? to : free + link],
  );
  return sorted([...pairs.toSpliced(at, 1), ...chain]);
};

describe("covering walks", () => {
  it("take every edge of two ways that meet, without walking their end twice", () => {
    //   0 -0-> 1 -2-> 3 -4-> 4
    //   0 -1-> 2 -3-> 3
    const graph = graphOf([
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [3, 4],
    ]);
    // Both ways must be started at 0; the first goes on to the end, the second has nothing to do there.
    expect([...coveringWalks(graph)]).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
  });

  it("walk twice only over the edge that two ways share", () => {
    //   0 -0-> 1 -1-> 2 -3-> 3 -4-> 4, and the short cut 1 -2-> 3, and 3 -5-> 5
    const graph = graphOf([
      [0, 1],
      [1, 2],
      [1, 3],
      [2, 3],
      [3, 4],
      [3, 5],
    ]);
    // Six edges, and edge 0 once more, as node 1 must be left twice; nothing needs a third walk.
    const walks = [...coveringWalks(graph)];
    expect(walks.map((walk) => walk.length).toSorted()).toEqual([3, 4]);
    expect(new Set(walks.flat()).size).toBe(6);
  });

  it("go round in a cycle, and over a loop, within one walk", () => {
    //   0 -0-> 0, 0 -1-> 1 -2-> 0, 1 -3-> 2
    const graph = graphOf([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 2],
    ]);
    const walks = [...coveringWalks(graph)];
    // Four edges and, as 1 can only be left twice if it is entered twice, edge 1 once more.
    expect(walks.map((walk) => walk.length)).toEqual([5]);
    expect(new Set(walks.flat()).size).toBe(4);
  });

  it("leave out what node 0 does not lead to, and are none of a graph without edges", () => {
    expect([...coveringWalks(graphOf([[1, 0]]))]).toEqual([]);
    expect([...coveringWalks(graphOf([]))]).toEqual([]);
  });

  it("are no longer than they may be, and reach every edge that such a walk can reach", () => {
    //   0 -0-> 1 -1-> 2 -2-> 3: the last edge takes 3 steps
    const chain = graphOf([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect([...coveringWalks(chain, { mostSteps: 2 })]).toEqual([[0, 1]]);
    expect([...coveringWalks(chain, { mostSteps: 3 })]).toEqual([[0, 1, 2]]);
  });

  it("refuse a graph that is none and a length that is none", () => {
    const noNode = { firstEdge: Uint32Array.of(0), target: new Uint32Array(0) };
    const leadsAway = { firstEdge: Uint32Array.of(0, 1), target: Uint32Array.of(1) };
    const miscounted = { firstEdge: Uint32Array.of(0, 2), target: Uint32Array.of(0) };
    for (const graph of [noNode, leadsAway, miscounted]) {
      expect(() => [...coveringWalks(graph)]).toThrow(/initial node|leads to 1, of 1|counts the edges/);
    }
    expect(() => [...coveringWalks(graphOf([[0, 1]]), { mostSteps: 0 })]).toThrow("at least 1 step");
  });

  it("cover 100,000 edges of depth 40 in hardly more steps than are needed", () => {
    const graph = layers({ edges: 100_000, depth: 40 });
    const walks = [...coveringWalks(graph)];
    const steps = walks.reduce((sum, walk) => sum + walk.length, 0);
    expect(new Set(walks.flat()).size).toBe(100_000);
    expect(Math.max(...walks.map((walk) => walk.length))).toBeLessThanOrEqual(40);
    // A linear program over graphs of this kind finds that about 1.9 times as many steps as edges are needed.
    expect(steps / 100_000).toBeLessThan(2.2);
  });

  it("are few: on average within a twentieth of the fewest steps possible", async ({ annotate }) => {
    const samples = fc.sample(acyclicPairs(6, 5), { numRuns: 300, seed: 1 });
    const sums = { steps: 0, fewestSteps: 0, walks: 0, fewestWalks: 0 };
    for (const pairs of samples) {
      const walks = [...coveringWalks(graphOf(pairs))];
      const steps = walks.reduce((sum, walk) => sum + walk.length, 0);
      const fewestSteps = leastCover(pairs, (walk) => walk.length);
      const fewestWalks = leastCover(pairs, () => 1);
      expect(steps).toBeGreaterThanOrEqual(fewestSteps);
      expect(walks.length).toBeGreaterThanOrEqual(fewestWalks);
      sums.steps += steps;
      sums.fewestSteps += fewestSteps;
      sums.walks += walks.length;
      sums.fewestWalks += fewestWalks;
    }
    await annotate(JSON.stringify(sums));
    expect(sums.steps / sums.fewestSteps).toBeLessThan(1.05);
    expect(sums.walks / sums.fewestWalks).toBeLessThan(1.05);
  });
});

describe("a walker", () => {
  it("walks greedily by shortest ways, whatever it hears of its walks", () => {
    const report = fc.record({ confirmed: fc.nat(12), givesUp: fc.boolean() });
    fc.assert(
      fc.property(
        fc.oneof(connectedPairs(7, 7), acyclicPairs(7, 7)),
        fc.nat(),
        fc.oneof(fc.constant(0), fc.nat(5), fc.integer({ min: 30, max: 60 })),
        fc.oneof(
          fc.nat(9).map((more) => more + 1),
          fc.constant(Number.POSITIVE_INFINITY),
        ),
        fc.array(report, { maxLength: 8, size: "max" }),
        (base, at, links, mostSteps, reports) => {
          const pairs = stretched(base, at, links);
          const told = naive(pairs);
          const walker = createWalker(graphOf(pairs), { mostSteps });
          const queue = [...reports];
          for (let walk = walker.next(); walk !== "done"; walk = walker.next()) {
            expectGreedy(pairs, walk, told, mostSteps);
            const { confirmed = Number.POSITIVE_INFINITY, givesUp = false } = queue.shift() ?? {};
            hear(walker, told, walk, { confirmed, givesUp });
          }
          expect(told.distance(0)).toBeGreaterThanOrEqual(mostSteps);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("offers again what was handed out and not confirmed", () => {
    const walker = createWalker(
      graphOf([
        [0, 1],
        [1, 2],
        [2, 3],
      ]),
    );
    expect(walker.next()).toEqual([0, 1, 2]);
    walker.walked(0);
    expect(walker.left()).toEqual([
      { kind: "waiting", edge: 1 },
      { kind: "waiting", edge: 2 },
    ]);
    expect(walker.next()).toEqual([0, 1, 2]);
    for (const edge of [1, 2]) walker.walked(edge);
    expect(walker.next()).toBe("done");
    expect(walker.left()).toEqual([]);
  });

  it("goes round an edge that was given up, and tells what lies behind it", () => {
    //   0 -0-> 1 -1-> 2 -3-> 3 -4-> 4, and the other way to 2: 1 -2-> 2
    const walker = createWalker(
      graphOf([
        [0, 1],
        [1, 2],
        [1, 2],
        [2, 3],
        [3, 4],
      ]),
    );
    expect(walker.next()).toEqual([0, 1, 3, 4]);
    walker.walked(0);
    walker.giveUp(1);
    expect(walker.next()).toEqual([0, 2, 3, 4]);
    walker.walked(2);
    walker.giveUp(3);
    expect(walker.next()).toBe("done");
    expect(walker.left()).toEqual([
      { kind: "given_up", edge: 1 },
      { kind: "given_up", edge: 3 },
      { kind: "behind_given_up", edge: 4, because: 3 },
    ]);
  });

  it("blames the first edge in the way where several were given up", () => {
    //   0 -0-> 1 -1-> 2 -2-> 3, of which the first two were given up
    const walker = createWalker(
      graphOf([
        [0, 1],
        [1, 2],
        [2, 3],
      ]),
    );
    walker.giveUp(1);
    walker.giveUp(0);
    expect(walker.next()).toBe("done");
    expect(walker.left()).toEqual([
      { kind: "given_up", edge: 0 },
      { kind: "behind_given_up", edge: 1, because: 0 },
      { kind: "behind_given_up", edge: 2, because: 0 },
    ]);
  });

  it("blames one edge where a cycle lies behind several", () => {
    //   0 -0-> 1 and 0 -1-> 2, both given up; 1 -2-> 3, 2 -3-> 3, and 3 -4-> 1
    const walker = createWalker(
      graphOf([
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
        [3, 1],
      ]),
    );
    for (const edge of [0, 1]) walker.giveUp(edge);
    // Nodes 1 and 3 lie behind edge 0, which comes first; 2 lies behind edge 1 alone.
    expect(walker.left().slice(2)).toEqual([
      { kind: "behind_given_up", edge: 2, because: 0 },
      { kind: "behind_given_up", edge: 3, because: 1 },
      { kind: "behind_given_up", edge: 4, because: 0 },
    ]);
  });

  it("passes no edge that was walked once and is given up now, and still counts it as walked", () => {
    //   0 -0-> 1, which leads on by 1 and by 2
    const walker = createWalker(
      graphOf([
        [0, 1],
        [1, 2],
        [1, 3],
      ]),
    );
    for (const edge of [0, 1]) walker.walked(edge);
    expect(walker.next()).toEqual([0, 2]);
    walker.giveUp(0);
    expect(walker.next()).toBe("done");
    expect(walker.left()).toEqual([{ kind: "behind_given_up", edge: 2, because: 0 }]);
  });

  it("tells how many steps an edge takes that is too deep, and nothing of edges out of reach", () => {
    //   0 -0-> 1 -1-> 2 -2-> 3, and 4 -3-> 0
    const walker = createWalker(
      graphOf([
        [0, 1],
        [1, 2],
        [2, 3],
        [4, 0],
      ]),
      { mostSteps: 1 },
    );
    expect(walker.next()).toEqual([0]);
    walker.walked(0);
    expect(walker.next()).toBe("done");
    expect(walker.left()).toEqual([
      { kind: "too_deep", edge: 1, steps: 2 },
      { kind: "too_deep", edge: 2, steps: 3 },
    ]);
  });

  it("does not hand out the same walk for ever", () => {
    const walker = createWalker(
      graphOf([
        [0, 1],
        [1, 2],
      ]),
    );
    walker.walked(0);
    expect(walker.next()).toEqual([0, 1]);
    walker.walked(0);
    expect(() => walker.next()).toThrow("report an edge");
    walker.giveUp(1);
    expect(walker.next()).toBe("done");
    expect(walker.next()).toBe("done");
  });

  it("takes it for no news that an edge is given up again", () => {
    const walker = createWalker(
      graphOf([
        [0, 1],
        [0, 2],
      ]),
    );
    walker.giveUp(0);
    expect(walker.next()).toEqual([1]);
    walker.giveUp(0);
    expect(() => walker.next()).toThrow("report an edge");
  });

  it("knows no edge but those of its graph", () => {
    const walker = createWalker(graphOf([[0, 1]]));
    expect(() => walker.walked(1)).toThrow("there is no edge 1");
    expect(() => walker.giveUp(-1)).toThrow("there is no edge -1");
  });
});

describe("open edges", () => {
  it("are found by a shortest way after any changes", () => {
    const change = fc.record({
      kind: fc.constantFrom("close", "reopen", "reopen", "block"),
      pick: fc.nat(),
      from: fc.nat(),
    });
    fc.assert(
      fc.property(
        connectedPairs(7, 7),
        fc.nat(),
        fc.oneof(fc.constant(0), fc.integer({ min: 30, max: 60 })),
        fc.array(fc.nat(), { maxLength: 3 }),
        fc.array(change, { maxLength: 15, size: "max" }),
        (base, at, links, leftOpen, changes) => {
          const pairs = stretched(base, at, links);
          const told = naive(pairs);
          const open = createOpenEdges(graphOf(pairs));
          const spared = new Set(leftOpen.map((pick) => pick % pairs.length));
          for (const edge of pairs.keys()) if (!spared.has(edge)) close(open, told, edge);
          expectNearest(pairs, open, told, 0);
          for (const { kind, pick, from } of changes) {
            apply(open, told, kind, pick % pairs.length);
            expectNearest(pairs, open, told, pairs[from % pairs.length]?.[0] ?? 0);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("open edges at the end of a long way", () => {
  it("are found from nodes that the search for a nearer one has only just seen", () => {
    //   0 -> 1 -> ... -> 60, then 60 -> 61 -> 63 -> 65 -> 66 and 60 -> 62 -> 64
    const way = Array.from({ length: 60 }, (_, node): Pair => [node, node + 1]);
    const pairs: readonly Pair[] = [...way, [60, 61], [60, 62], [61, 63], [62, 64], [63, 65], [65, 66]];
    const open = createOpenEdges(graphOf(pairs));
    // Only those from 62 to 64 and from 65 to 66 stay open.
    for (const [edge, [from]] of pairs.entries()) if (from !== 62 && from !== 65) open.close(edge);
    expect(open.distance(0)).toBe(61);
    expect(open.distance(63)).toBe(1);
  });
});

describe("edge coverage", () => {
  //   0 -0-> 1 -1-> 2, 1 -2-> 0, and 3 -3-> 0, which nothing leads to
  const pairs: readonly Pair[] = [
    [0, 1],
    [1, 2],
    [1, 0],
    [3, 0],
  ];

  it("counts each reachable edge once", () => {
    const coverage = createEdgeCoverage(graphOf(pairs));
    expect([coverage.walked(), coverage.reachable()]).toEqual([0, 3]);
    for (const edge of [1, 0, 1]) coverage.note(edge);
    expect([coverage.walked(), coverage.reachable()]).toEqual([2, 3]);
  });

  it("lists what is left, and no more than it was asked for", () => {
    const coverage = createEdgeCoverage(graphOf(pairs));
    expect(coverage.left(2)).toEqual([0, 1]);
    coverage.note(1);
    expect(coverage.left(9)).toEqual([0, 2]);
    expect(coverage.left(0)).toEqual([]);
  });

  it("refuses an edge that cannot have been walked", () => {
    const coverage = createEdgeCoverage(graphOf(pairs));
    for (const edge of [3, 4, -1]) expect(() => coverage.note(edge)).toThrow(`edge ${edge} is none`);
    expect(coverage.walked()).toBe(0);
  });

  it("is whole once covering walks have been walked", () => {
    fc.assert(
      fc.property(fc.oneof(connectedPairs(7, 7), acyclicPairs(7, 7)), (some) => {
        const graph = graphOf(some);
        const coverage = createEdgeCoverage(graph);
        for (const walk of coveringWalks(graph)) for (const edge of walk) coverage.note(edge);
        expect(coverage.left(1)).toEqual([]);
        expect(coverage.walked()).toBe(coverage.reachable());
      }),
    );
  });
});

type Told = ReturnType<typeof naive>;

const close = (open: OpenEdges, told: Told, edge: number): void => {
  open.close(edge);
  told.open.delete(edge);
};

const apply = (open: OpenEdges, told: Told, kind: "close" | "reopen" | "block", edge: number): void => {
  if (kind === "close") close(open, told, edge);
  if (kind === "reopen") {
    open.reopen(edge);
    told.open.add(edge);
  }
  if (kind === "block") {
    open.block(edge);
    told.blocked.add(edge);
  }
};

/** Follows the way from a node to its end, and checks that it is passable, as long as told, and leads to an open edge. */
const expectNearest = (pairs: readonly Pair[], open: OpenEdges, told: Told, start: number): void => {
  const distance = open.distance(start);
  const expected = told.distance(start);
  expect(distance).toBe(expected === Number.POSITIVE_INFINITY ? never : expected);
  if (distance === never) return;
  let node = start;
  for (let step = 0; step < distance; step += 1) {
    const edge = open.towards(node);
    expect(pairs[edge]?.[0]).toBe(node);
    expect(told.blocked.has(edge)).toBe(false);
    node = pairs[edge]?.[1] ?? 0;
  }
  const last = open.towards(node);
  expect(pairs[last]?.[0]).toBe(node);
  expect(told.isOpen(last)).toBe(true);
};

/** Tells the walker, and the naive account, that the walk went well for some steps and no further. */
const hear = (
  walker: ReturnType<typeof createWalker>,
  told: Told,
  walk: readonly number[],
  { confirmed, givesUp }: { readonly confirmed: number; readonly givesUp: boolean },
): void => {
  const went = walk.slice(0, confirmed);
  const isNews = went.some((edge) => !told.walked.has(edge));
  for (const edge of went) {
    walker.walked(edge);
    told.walked.add(edge);
  }
  const stuckAt = walk[confirmed];
  if (stuckAt !== undefined && (givesUp || !isNews)) {
    walker.giveUp(stuckAt);
    told.blocked.add(stuckAt);
  }
  for (const edge of walk) if (!told.walked.has(edge)) told.open.add(edge);
};

/** The least sum of costs of walks that together use every edge node 0 leads to, by trying all sets of edges. */
const leastCover = (pairs: readonly Pair[], cost: (walk: readonly number[]) => number): number => {
  const walks = walksFrom(pairs, 0);
  const maskOf = (walk: readonly number[]): number => walk.reduce((mask, edge) => mask | (1 << edge), 0);
  const all = walks.reduce((mask, walk) => mask | maskOf(walk), 0);
  const least = new Array<number>(all + 1).fill(Number.POSITIVE_INFINITY);
  least[0] = 0;
  // A walk only adds to a set, so that every set is final once its turn comes.
  for (let mask = 0; mask <= all; mask += 1) {
    for (const walk of walks) {
      const union = mask | maskOf(walk);
      const sum = (least[mask] ?? 0) + cost(walk);
      if (union !== mask) least[union] = Math.min(least[union] ?? 0, sum);
    }
  }
  return least[all] ?? 0;
};

/** Every walk from a node of a graph without cycles, the parts of longer ones included. */
const walksFrom = (pairs: readonly Pair[], node: number): readonly (readonly number[])[] =>
  [...pairs.entries()].flatMap(([edge, [from, to]]) =>
    from === node ? [[edge], ...walksFrom(pairs, to).map((rest) => [edge, ...rest])] : [],
  );

/** Nodes in layers, edges from each to the next; every node has one from the layer before, the others are random. */
const layers = ({ edges, depth }: { readonly edges: number; readonly depth: number }): DirectedGraph => {
  const width = Math.floor(edges / 4 / depth);
  let seed = 1;
  const below = (end: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * end);
  };
  const nodeIn = (layer: number): number => (layer === 0 ? 0 : 1 + (layer - 1) * width + below(width));
  const targets = Array.from({ length: 1 + width * depth }, (): number[] => []);
  for (let node = 1; node < targets.length; node += 1) {
    targets[nodeIn(Math.ceil(node / width) - 1)]?.push(node);
  }
  for (let left = edges - width * depth; left > 0; left -= 1) {
    const layer = below(depth);
    targets[nodeIn(layer)]?.push(nodeIn(layer + 1));
  }
  const firstEdge = new Uint32Array(targets.length + 1);
  for (const [node, list] of targets.entries()) firstEdge[node + 1] = (firstEdge[node] ?? 0) + list.length;
  return { firstEdge, target: Uint32Array.from(targets.flat()) };
};
