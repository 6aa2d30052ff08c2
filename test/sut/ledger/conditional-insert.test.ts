import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeScratchFolder, scratchFolder } from "../../../src/cli/scratch.js";
import type { DraftArguments } from "../../../src/sut/ledger/arguments.js";
import { checkLimit, checkOutput } from "../../../src/sut/ledger/guards.js";
import type { Passage } from "../../../src/sut/ledger/passage.js";
import { Refusal } from "../../../src/sut/ledger/refusals.js";
import { stages } from "../../../src/sut/ledger/stages.js";
import { openStore, type Store } from "../../../src/sut/ledger/store.js";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = scratchFolder();
  store = openStore(join(folder, "ledger.db"));
  store.initialise(3);
});
afterEach(() => {
  store.close();
  removeScratchFolder(folder);
});

/** An attempt that was checked under revision 1 and stands before its insert with these arguments. */
function passage(args: DraftArguments): Passage {
  const call = {
    request: "",
    tenant: "t1",
    runId: "r1",
    callId: "c1",
    delivery: "d1",
    signal: new AbortController().signal,
    hooks: {
      checkpoint: async () => {},
      crashPoint: () => {},
      snapshotTaken: () => {},
      returned: <Value>(value: Value) => value,
      patience: () => ({ over: new Promise<void>(() => {}), dismiss: () => {} }),
    },
    guards: { check: checkLimit, output: checkOutput },
  };
  return { ...stages.enter(call), args, digest: "digest", snapshot: { revision: 1, maxCopies: 3 } };
}

const execute = (args: DraftArguments): unknown =>
  stages.execute(passage(args), { store, stages, clock: () => 0 });
const effects = (): unknown => store.connection.prepare("SELECT key, revision FROM effects").all();

describe("the conditional insert", () => {
  it("writes while revision and limit are those that were checked", () => {
    expect(execute({ job: "JOB-001", topic: "river", copies: 3 })).toEqual({
      job: "JOB-001",
      text: "river / copies=3",
    });
    expect(effects()).toEqual([{ key: "JOB-001", revision: 1 }]);
  });

  it("holds the current limit against the arguments that are about to be written, not those that were checked", () => {
    // Checked with 2 copies, 4 by now; the revision is still the one of the check (test_current_predicate_rechecks_changed_arguments).
    expect(() => execute({ job: "JOB-001", topic: "river", copies: 4 })).toThrow(
      new Refusal("policy_changed", "policy_changed"),
    );
    expect(effects()).toEqual([]);
    expect(store.inTransaction()).toBe(false);
  });

  it("validates the arguments again where they are written", () => {
    expect(() => execute({ job: "../x", topic: "river", copies: 2 })).toThrow(
      new Refusal("input_rejected", "job"),
    );
    expect(effects()).toEqual([]);
    expect(store.inTransaction()).toBe(false);
  });
});
