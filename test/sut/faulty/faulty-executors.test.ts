import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/model/vocabulary.js";
import { type FaultyExecutor, faultyExecutors } from "../../../src/sut/faulty/faulty-executors.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { driveList } from "./drive-list.js";
import { argumentFacts, effectFacts } from "./facts/effect-facts.js";
import { outputFacts } from "./facts/output-facts.js";
import { policyFacts } from "./facts/policy-facts.js";
import { receiptFacts } from "./facts/receipt-facts.js";
import { judged } from "./judged.js";

const facts = [...receiptFacts, ...policyFacts, ...outputFacts, ...effectFacts, ...argumentFacts];

type Histories = { readonly faulty: readonly Event[]; readonly sound: readonly Event[] };

const driven = new Map<string, Promise<Histories>>();

/** The witness over its faulty executor and over the sound one, driven once for all tests. */
function histories({ name, open, witness }: FaultyExecutor): Promise<Histories> {
  const known = driven.get(name);
  if (known !== undefined) return known;
  const both = Promise.all([driveList(open, witness), driveList(openLedgerPort, witness)]);
  const fresh = both.then(([faulty, sound]) => ({ faulty, sound }));
  driven.set(name, fresh);
  return fresh;
}

describe("the table of faulty executors", () => {
  it("has exactly one wrong fact, stated by hand, for every bug", () => {
    const names = faultyExecutors.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(facts.map(({ bug }) => bug).toSorted()).toEqual(names.toSorted());
  });
});

describe("a witness", () => {
  it.each(facts)("shows of $bug that $because", async ({ bug, shows }) => {
    const executor = faultyExecutors.find(({ name }) => name === bug);
    if (executor === undefined) throw new Error(`there is no faulty executor ${bug}`);
    const { faulty, sound } = await histories(executor);
    expect(shows(faulty)).toBe(true);
    expect(shows(sound)).toBe(false);
  });

  it.each(faultyExecutors)("performs every action on $name", async (executor) => {
    const { faulty } = await histories(executor);
    expect(faulty.filter(({ kind }) => kind === "skipped")).toEqual([]);
  });

  it.each(faultyExecutors)("makes the judge find a promise of $name broken", async (executor) => {
    const { faulty, sound } = await histories(executor);
    const broken = judged(faulty);
    expect(
      broken.filter((promise) => executor.caughtBy.includes(promise)),
      `seen instead: ${broken}`,
    ).not.toEqual([]);
    expect(judged(sound)).toEqual([]);
  });
});
