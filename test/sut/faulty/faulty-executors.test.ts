import { describe, expect, it } from "vitest";
import { faultyExecutors } from "../../../src/sut/faulty/faulty-executors.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { driveList } from "./drive-list.js";
import { argumentFacts, effectFacts } from "./facts/effect-facts.js";
import { outputFacts } from "./facts/output-facts.js";
import { policyFacts } from "./facts/policy-facts.js";
import { receiptFacts } from "./facts/receipt-facts.js";

const facts = [...receiptFacts, ...policyFacts, ...outputFacts, ...effectFacts, ...argumentFacts];

describe("a faulty executor", () => {
  it("has a name of its own, and exactly one wrong fact stated by hand", () => {
    const names = faultyExecutors.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(facts.map(({ bug }) => bug).toSorted()).toEqual(names.toSorted());
  });

  it.each(faultyExecutors)("$name: its witness performs every action", async ({ open, witness }) => {
    const history = await driveList(open, witness);
    expect(history.filter(({ kind }) => kind === "skipped")).toEqual([]);
  });
});

describe("a witness", () => {
  it.each(facts)("shows of $bug that $because", async ({ bug, shows }) => {
    const executor = faultyExecutors.find(({ name }) => name === bug);
    if (executor === undefined) throw new Error(`there is no faulty executor ${bug}`);
    expect(shows(await driveList(executor.open, executor.witness))).toBe(true);
    expect(shows(await driveList(openLedgerPort, executor.witness))).toBe(false);
  });
});
