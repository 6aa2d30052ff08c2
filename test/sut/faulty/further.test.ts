import { describe, expect, it } from "vitest";
import type { Action, Event } from "../../../src/model/vocabulary.js";
import { faultyExecutors } from "../../../src/sut/faulty/faulty-executors.js";
import { advance, changePolicy, finish, request, submit } from "../../../src/sut/faulty/witness-steps.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { driveList } from "./drive-list.js";
import { completed, keysOf, lastStore, receiptsOf, storeAfter, type WrongFact } from "./evidence.js";

/** Bugs that their shortest witness shows from one side only, or that show themselves on every passage. */
const furtherLists: readonly (WrongFact & { readonly actions: readonly Action[] })[] = [
  {
    bug: "trusts-the-last-insert-id",
    because: "a draft is released although its receipt was never written",
    actions: [submit("a1", request.river, { kind: "receipt_ignored" }), finish("a1")],
    shows: (history) =>
      completed(history, "a1")?.released.kind === "value" &&
      receiptsOf(lastStore(history), "a1").length === 0,
  },
  {
    bug: "acknowledges-before-the-commit",
    because: "the COMMIT that nobody waited for was refused, so an accepted attempt never gets a receipt",
    actions: [submit("a1", request.river, { kind: "commit_refused", stage: "receipt" }), finish("a1")],
    shows: (history) =>
      completed(history, "a1")?.status === "accepted" && receiptsOf(lastStore(history), "a1").length === 0,
  },
  {
    bug: "rechecks-the-limit-not-the-revision",
    because: "the limit went from 3 to 1 and back, and the check under revision 1 still counts",
    actions: [submit("a1", request.river), changePolicy(1), changePolicy(3)],
    shows: (history) => completed(history, "a1")?.status === "accepted",
  },
  {
    bug: "holds-the-transaction-over-a-checkpoint",
    because: "a2 could not begin and rolled a1 back, which went on to say that it had committed",
    actions: [submit("a1", request.river), submit("a2", request.otherKey), advance("a1"), advance("a2")],
    shows: (history) =>
      completed(history, "a1")?.events.includes("effect_committed") === true &&
      !keysOf(storeAfter(history, "a1")).includes("JOB-001"),
  },
  {
    bug: "reads-effect-exists-off-its-events",
    because: "a refusal before the business step looks as if the effect had gone",
    actions: [submit("a1", request.river), finish("a1"), submit("a2", request.tooMany)],
    shows: (history) => receiptsOf(lastStore(history), "a2").some(({ effectExists }) => !effectExists),
  },
  {
    bug: "shares-one-events-list",
    because: "a1 committed, and its receipt lacks what a2 wiped off the list",
    actions: [submit("a1", request.river), advance("a1"), submit("a2", request.canary), finish("a1")],
    shows: (history) =>
      receiptsOf(lastStore(history), "a1").some(({ events }) => !events.includes("effect_committed")),
  },
];

describe("a list other than the witness", () => {
  it.each(furtherLists)("shows of $bug that $because", async ({ bug, actions, shows }) => {
    const executor = faultyExecutors.find(({ name }) => name === bug);
    if (executor === undefined) throw new Error(`there is no faulty executor ${bug}`);
    expect(shows(await driveList(executor.open, actions))).toBe(true);
    expect(shows(await driveList(openLedgerPort, actions))).toBe(false);
  });
});

/** Those whose bug lies on the way of every request; the others must not differ without an occasion. */
const wrongOnEveryPassage = [
  "acknowledges-before-the-commit",
  "releases-before-writing-the-receipt",
  "keeps-one-receipt-per-key",
  "holds-the-transaction-over-a-checkpoint",
  "digests-in-written-order",
];

let sound: Promise<readonly Event[]> | undefined;

describe("a passage without faults", () => {
  const rare = faultyExecutors.filter(({ name }) => !wrongOnEveryPassage.includes(name));
  const actions = [submit("a1", request.river), finish("a1")];

  it.each(rare)("is the sound ledger's over $name", async ({ open }) => {
    sound ??= driveList(openLedgerPort, actions);
    expect(await driveList(open, actions)).toEqual(await sound);
  });
});
