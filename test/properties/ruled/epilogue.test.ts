import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import type { Action, Event } from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { executeRun } from "../../../src/properties/run.js";
import { openRuledPort } from "../../../src/sut/ruled/system.js";
import { finish, river2, submit } from "../../model/fixture.js";
import { change, crash, crashAt, crashEntering, damage, once, throwing } from "../../model/ruled/fixture.js";

const folder = mkdtempSync(join(tmpdir(), "ruled-epilogue-"));
const budget = createBudget(7500);
const port = openRuledPort({ directory: folder, budgetMs: 5000 });
afterAll(async () => {
  await port.stop();
  budget.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the epilogue of a run on the sound executor did, in the order in which it was done. */
async function epilogueOf(...actions: readonly Action[]): Promise<readonly string[]> {
  const policy = { kind: "limit", maxCopies: 3 } as const;
  const { history, verdict, end } = await executeRun(
    { port, contract: draftContract, policy, budget },
    actions,
  );
  expect(end.kind).toBe("judged");
  expect(verdict.violations).toEqual([]);
  expect(history.filter(({ kind }) => kind === "skipped")).toEqual([]);
  const begins = history.findIndex(({ kind }) => kind === "epilogue");
  return history.slice(begins + 1).flatMap(wordOf);
}

function wordOf(event: Event): readonly string[] {
  switch (event.kind) {
    case "reconciled":
    case "restarted":
      return [event.kind];
    case "submitted":
      return [`submitted ${event.attempt}`];
    case "ended":
      return [
        `${event.attempt} ${event.outcome.kind === "completed" ? event.outcome.code : event.outcome.kind}`,
      ];
    default:
      return [];
  }
}

const keyed = change([once]);
const duplicate = ["submitted a2", "a2 duplicate_transaction"];
const executes = ["submitted a2", "a2 ok"];

describe("the epilogue", () => {
  it.each<[string, readonly Action[], readonly string[]]>([
    // An error behind the commit proves nothing; the effect does.
    [
      "an error that proves nothing",
      [submit("a1", river2, throwing("after_commit")), finish("a1")],
      ["reconciled", ...duplicate],
    ],
    [
      "a ledger that cannot be read",
      [submit("a1", river2), finish("a1"), damage],
      ["reconciled", ...duplicate],
    ],
    [
      "an error right before the reservation was to be settled",
      [submit("a1", river2, throwing("before_settle")), finish("a1")],
      ["reconciled", ...duplicate],
    ],
    [
      "such an error on the way of an attempt that had failed",
      [submit("a1", river2, throwing("inside_transaction"), throwing("before_settle")), finish("a1")],
      ["reconciled", ...executes],
    ],
  ])("reconciles what only that can settle: %s", async (_, actions, done) => {
    expect(await epilogueOf(keyed, ...actions)).toEqual(done);
  });

  it.each<[string, readonly Action[], readonly string[]]>([
    ["nothing was reserved", [], []],
    ["an attempt committed", [submit("a1", river2), finish("a1")], duplicate],
    [
      "it is proven that nothing happened",
      [submit("a1", river2, throwing("inside_transaction")), finish("a1")],
      executes,
    ],
    ["the key was given back at once", [submit("a1", river2, throwing("after_reserve"))], executes],
    // Whoever made the row settles it, readable or not, before anybody looks.
    [
      "an attempt under way will settle what was damaged",
      [submit("a1", river2), damage],
      ["a1 ok", ...duplicate],
    ],
    ["a restart does it", [crashEntering("a1", river2, "after_reserve")], ["restarted", ...executes]],
    [
      "a restart does it after a commit",
      [submit("a1", river2), crashAt("a1", "before_settle")],
      ["restarted", ...duplicate],
    ],
    ["a restart does it for one at rest", [submit("a1", river2), crash], ["restarted", ...executes]],
  ])("reconciles nothing where %s", async (_, actions, done) => {
    expect(await epilogueOf(keyed, ...actions)).toEqual(done);
  });
});
