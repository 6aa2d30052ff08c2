import fc from "fast-check";
import { draftContract } from "../src/contract/draft.js";
import { crashPoints, type PolicySetting } from "../src/model/vocabulary.js";
import { driverFaultsOf, faultsOf } from "../src/properties/fault-plan.js";
import { ledgerProfile } from "../src/sut/ledger/system.js";
import * as plain from "./plain-commands.js";
import { Model, type Tracked } from "./plain-model.js";
import { Session } from "./plain-session.js";

export type PlainSettings = {
  readonly directory: string;
  readonly policy: PolicySetting;
  readonly seed: number;
  readonly runs: number;
  readonly maxCommands: number;
};

/**
 * The honest alternative: what somebody who knows fast-check would write by the book to hold the same executor to
 * the same promises. Commands are classes with `check` and `run`; their arguments are drawn without knowledge of the
 * state, so that `check` refuses what does not apply; every run has a store of its own, opened and thrown away, which
 * is what makes runs independent without any thought; the judge of the promises is the harness's own, fed by hand.
 * Commands that a run needs often are listed often, which is how `fc.commands` is weighted. Fails if a promise is
 * broken; answers how many commands have run.
 */
export async function runPlain({
  directory,
  policy,
  seed,
  runs,
  maxCommands,
}: PlainSettings): Promise<number> {
  let effective = 0;
  const property = fc.asyncProperty(commandsArbitrary(maxCommands), async (commands) => {
    const session = await Session.open(directory, policy);
    try {
      const model = new Model();
      await fc.asyncModelRun(() => ({ model, real: session }), commands);
      effective += session.action;
      await driveToTheEnd(model, session);
      session.finishJudging();
    } finally {
      await session.port.stop();
    }
  });
  await fc.assert(property, { seed, numRuns: runs });
  return effective;
}

/** Without it, nothing that must hold in the end could be judged. */
async function driveToTheEnd(model: Model, session: Session): Promise<void> {
  await session.port.clearFaults();
  session.record({ kind: "epilogue" });
  if (!model.isUp) await session.restart();
  const latest = new Map<string, Tracked>();
  for (const tracked of model.attempts) {
    if (tracked.state === "blocked") await session.expire(tracked);
    await session.finish(tracked);
    const facts = draftContract.interpret(tracked.request);
    if (facts.kind === "valid") latest.set(`${tracked.context.tenant} ${facts.key}`, tracked);
  }
  for (const { request, context } of latest.values()) {
    const again = model.start(request, context);
    await session.submit(again, []);
    await session.finish(again);
  }
}

const index = fc.nat(7);
const faults = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.constantFrom(...faultsOf(ledgerProfile)).map((fault) => [fault]) },
);
const request = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(2), fc.nat(1023))
      .map(([key, variant]) => draftContract.requests.valid(key, variant)),
  },
  { weight: 1, arbitrary: fc.nat(65_535).map((pick) => draftContract.requests.invalid(pick)) },
);
const tenant = fc.constantFrom("t1", "t1", "t1", "t1", "t2");
const setting = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(3, 3, 3, 1, 2, 4, 9, 0)
      .map((maxCopies): PolicySetting => ({ kind: "limit", maxCopies })),
  },
  { weight: 1, arbitrary: fc.constant<PolicySetting>({ kind: "remove" }) },
);

/** Half of what starts an attempt starts a new call; advancing is what most of a run is made of. */
function commandsArbitrary(maxCommands: number): fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Session>>> {
  const submit = fc.tuple(request, tenant, faults).map((drawn) => new plain.Submit(...drawn));
  const retry = fc.tuple(index, faults).map((drawn) => new plain.Retry(...drawn));
  const retryChanged = fc.tuple(index, fc.nat(1023), faults).map((drawn) => new plain.RetryChanged(...drawn));
  const resubmit = fc.tuple(index, fc.nat(2), faults).map((drawn) => new plain.ResubmitNewKey(...drawn));
  const advance = index.map((drawn) => new plain.Advance(drawn));
  const finish = index.map((drawn) => new plain.Finish(drawn));
  const policy = setting.map((drawn) => new plain.ChangePolicy(drawn));
  const driverFault = fc.constantFrom(...driverFaultsOf(ledgerProfile));
  return fc.commands(
    [
      ...often(8, submit),
      ...often(2, retry),
      retryChanged,
      resubmit,
      ...often(8, advance),
      ...often(4, finish),
      ...often(3, policy),
      index.map((drawn) => new plain.Cancel(drawn)),
      index.map((drawn) => new plain.Expire(drawn)),
      driverFault.map((drawn) => new plain.Arm(drawn)),
      index.map((drawn) => new plain.Disarm(drawn)),
      fc.constant(new plain.CrashParked()),
      fc.tuple(index, fc.constantFrom(...crashPoints)).map((drawn) => new plain.CrashAt(...drawn)),
      ...often(6, fc.constant(new plain.Restart())),
      fc.constant(new plain.Observe()),
    ],
    { maxCommands, size: "max" },
  );
}

function often<Item>(times: number, item: Item): readonly Item[] {
  return Array.from({ length: times }, () => item);
}
