import { fail, goOn, type Passage, passing, say, type Turn } from "../passage.js";
import { marked, released, reservationOf } from "../reservations.js";
import { activeClaims } from "../rule-set.js";
import type { Reservation, Verdict } from "../world.js";

/** Takes the key before anything is done under it, in a transaction of its own, where a rule asks for that. */
export function reserve(passage: Passage): Turn {
  const { world, attempt } = passage;
  const { facts, name, context } = attempt;
  if (facts.kind === "invalid") return fail(passage, "unforeseen");
  if (!activeClaims(world).some(({ kind }) => kind === "idempotent")) return goOn(passage);
  const row: Reservation = { tenant: context.tenant, key: facts.key, state: "reserved", attempt: name };
  const written = { ...passage, world: { ...world, reservations: [...world.reservations, row] } };
  const reserved = say(written, "key_reserved");
  return passing(
    reserved,
    "after_reserve",
    () => fail(letGo(reserved), "after_reserve"),
    () => goOn(reserved),
  );
}

/** An attempt that ends before its business leaves no key behind. */
export function unreserving(leave: (passage: Passage) => Turn): (passage: Passage) => Turn {
  return (passage) => {
    const turn = leave(passage);
    return turn.kind === "settled" ? { ...turn, passage: letGo(turn.passage) } : turn;
  };
}

/** Whatever the business came to, the key that was reserved for it is settled before anything else happens. */
export function settling(execute: (passage: Passage) => Turn): (passage: Passage) => Turn {
  return (passage) => {
    const turn = execute(passage);
    if (turn.kind !== "goes_on" && turn.kind !== "settled") return turn;
    const { world, attempt } = turn.passage;
    if (reservationOf(world, attempt.name) === undefined) return turn;
    return passing<Turn>(
      turn.passage,
      "before_settle",
      // One that was refused or has failed keeps its verdict: it is what the business came to.
      () => (turn.kind === "settled" ? turn : fail(turn.passage, "before_settle")),
      () => ({
        ...turn,
        passage: turn.kind === "settled" ? endedWithout(turn.passage) : hasDone(turn.passage),
      }),
    );
  };
}

function hasDone(passage: Passage): Passage {
  return { ...passage, world: marked(passage.world, passage.attempt.name, "done") };
}

/** Nothing of its own was done, except where an error hides what was. */
function endedWithout(passage: Passage): Passage {
  const { world, attempt, verdict } = passage;
  return mayHide(verdict) ? { ...passage, world: marked(world, attempt.name, "unknown") } : letGo(passage);
}

/** The commit stands, and yet nobody was told of it. */
function mayHide({ status, code }: Verdict): boolean {
  return status === "error" && code === "after_commit";
}

function letGo(passage: Passage): Passage {
  return { ...passage, world: released(passage.world, passage.attempt.name) };
}
