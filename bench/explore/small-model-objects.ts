import type { ObjectMachine } from "./naive-search.js";
import type { SmallModelSize } from "./small-model-shape.js";

type Attempt = {
  readonly pc: number;
  readonly key: number;
  readonly snap: number;
  readonly crev: number;
  readonly tries: number;
  readonly mine: boolean;
  readonly rcpt: boolean;
};

type World = {
  readonly rev: number;
  readonly lim: number;
  readonly draft: readonly number[];
  readonly cnt: readonly number[];
  readonly attempts: readonly Attempt[];
};

/** The small model of objects that are never changed, for the naive search. */
export function smallModelObjects(size: SmallModelSize): ObjectMachine<World> {
  const attempt: Attempt = { pc: 0, key: 0, snap: 0, crev: 0, tries: 0, mine: false, rcpt: false };
  return {
    initial: {
      rev: 0,
      lim: 0,
      draft: Array(size.keys).fill(0),
      cnt: Array(size.keys).fill(0),
      attempts: Array(size.attempts).fill(attempt),
    },
    successors: (world) => [
      ...world.attempts.flatMap((_, index) => stepsOf(size, world, index)),
      ...(world.rev < size.policyChanges ? [{ ...world, rev: world.rev + 1, lim: 1 - world.lim }] : []),
    ],
    broken: ({ cnt, attempts }) => [
      ...(cnt.every((count) => count <= 1) ? [] : ["OneDraft"]),
      ...(attempts.every(({ pc, rcpt }) => pc !== 6 || rcpt) ? [] : ["RelRcpt"]),
      ...(attempts.every(({ pc, crev, snap }) => pc < 3 || pc > 6 || crev === snap) ? [] : ["CommitRev"]),
    ],
  };
}

function stepsOf({ keys, retries }: SmallModelSize, world: World, index: number): readonly World[] {
  const attempt = world.attempts[index];
  if (attempt === undefined) return [];
  const go = (change: Partial<Attempt>): World => withAttempt(world, index, { ...attempt, ...change });
  switch (attempt.pc) {
    case 0:
      return Array.from({ length: keys }, (_, key) => go({ pc: 1, key }));
    case 1:
      return [
        world.lim === 1 && index % 2 === 1 ? go({ pc: 7 }) : go({ pc: 2, snap: world.rev }),
        go({ pc: 8 }),
      ];
    case 2:
      return [committed(world, index, attempt), go({ pc: 8 })];
    case 3:
      return [go({ pc: 4 }), go({ pc: 7 }), go({ pc: 8 })];
    case 4:
      return [go({ pc: 5, rcpt: true }), go({ pc: 7 }), go({ pc: 8 })];
    case 5:
      return [go({ pc: 6 }), go({ pc: 8 })];
    default:
      if (attempt.tries >= retries) return [];
      return [go({ pc: 1, snap: 0, crev: 0, tries: attempt.tries + 1, mine: false, rcpt: false })];
  }
}

function committed(world: World, index: number, attempt: Attempt): World {
  const digest = (index % 2) + 1;
  const draft = world.draft[attempt.key];
  if (attempt.snap !== world.rev || (draft !== 0 && draft !== digest)) {
    return withAttempt(world, index, { ...attempt, pc: 7 });
  }
  const moved = withAttempt(world, index, { ...attempt, pc: 3, crev: world.rev, mine: draft === 0 });
  if (draft !== 0) return moved;
  return {
    ...moved,
    draft: world.draft.map((other, key) => (key === attempt.key ? digest : other)),
    cnt: world.cnt.map((count, key) => (key === attempt.key ? count + 1 : count)),
  };
}

function withAttempt(world: World, index: number, attempt: Attempt): World {
  return { ...world, attempts: world.attempts.map((other, at) => (at === index ? attempt : other)) };
}
