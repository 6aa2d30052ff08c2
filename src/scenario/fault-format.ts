import {
  type CheckerFault,
  checkerStages,
  checkpoints,
  crashPoints,
  type DriverFault,
  type DriverStage,
  driverStages,
  type Fault,
  outputFindings,
  type SpoiltOutput,
} from "../model/vocabulary.js";
import { isDriverFault, stageOf } from "../sut/fault-kinds.js";
import {
  byShape,
  described,
  list,
  made,
  type Named,
  named,
  type Reader,
  read,
  report,
  seen,
} from "./reader.js";
import { oneKey, record } from "./record.js";
import { whole, word } from "./scalars.js";

const bareDriverFaults = ["receipt_ignored", "receipt_aborted", "effect_ignored"] as const;
const stagedDriverFaults = ["busy", "commit_refused", "disk_full", "read_only"] as const;
const checkerFaults = [
  "checker_throws",
  "checker_rejects_falsy",
  "checker_hangs",
  "checker_garbled",
] as const;

const driverStage = word(driverStages, "the stage it hits");
const checkerStage = word(checkerStages, "the stage it hits");
const throwPoint = word([...checkpoints, ...crashPoints], "the point to throw at");

const staged: { readonly [kind: string]: Reader<DriverFault> } = Object.fromEntries(
  stagedDriverFaults.map((kind) => [kind, made(driverStage, (stage) => read({ kind, stage }))]),
);

const checkers: { readonly [kind: string]: Reader<CheckerFault> } = Object.fromEntries(
  checkerFaults.map((kind) => [kind, made(checkerStage, (stage) => read({ kind, stage }))]),
);

const tries: Reader<SpoiltOutput["tries"]> = made(
  whole("how many tries are spoilt, from 1 to 3", 1, 3),
  (count) => read(count === 3 ? 3 : count === 2 ? 2 : 1),
);

const spoiltOutput: Reader<Fault> = made(
  record(
    "how the value is spoilt, like { as: secret }",
    { as: word(outputFindings, "what is wrong with the value") },
    { tries: described(tries, "How many values, from the first; 1 if not written.") },
  ),
  (said) => read<Fault>({ kind: "spoilt_output", as: said.as, tries: said.tries ?? 1 }),
);

/** A fault whose stage is missing, or has one too many, is told how it is written. */
function bareWord<const W extends string>(
  words: readonly W[],
  withStage: { readonly [kind: string]: string },
): Reader<W> {
  const plain = word(words, "a fault");
  return {
    ...plain,
    read: (place) => {
      const said = seen(place.node).replaceAll('"', "");
      const stages = Object.hasOwn(withStage, said) ? withStage[said] : undefined;
      if (stages !== undefined) {
        return report(
          place,
          `expected the fault with where it acts, seen ${said} alone; write { ${said}: ${stages} }`,
        );
      }
      return plain.read(place);
    },
  };
}

const driverStagesOf = Object.fromEntries(stagedDriverFaults.map((kind) => [kind, driverStages.join(" | ")]));
const allStagesOf = {
  ...driverStagesOf,
  ...Object.fromEntries(checkerFaults.map((kind) => [kind, checkerStages.join(" | ")])),
  throw_at: [...checkpoints, ...crashPoints].join(" | "),
  spoilt_output: `{ as: ${outputFindings.join(" | ")} }`,
};

/** A bare fault written as a key is told that it takes no value. */
function noValue(kind: string): Reader<never> {
  return {
    wants: `${kind} without a value`,
    schema: { not: {} },
    read: (place) => report(place, `expected ${kind} as a bare word, seen it with a value`),
  };
}

function bareKeys(kinds: readonly string[]): { readonly [kind: string]: Reader<never> } {
  return Object.fromEntries(kinds.map((kind) => [kind, noValue(kind)]));
}

/** Faults of the store: the only ones that can be armed for every attempt. */
export const driverFault: Named<DriverFault> = named(
  "driverFault",
  byShape<DriverFault>("a fault of the store", {
    scalar: made(bareWord(bareDriverFaults, driverStagesOf), (kind) => read({ kind })),
    map: oneKey<DriverFault>("a fault of the store", { ...staged, ...bareKeys(bareDriverFaults) }),
  }),
);

const fault: Named<Fault> = named(
  "fault",
  byShape<Fault>("a fault", {
    scalar: made(bareWord([...bareDriverFaults, "bad_output"], allStagesOf), (kind) => read<Fault>({ kind })),
    map: oneKey<Fault>("a fault", {
      throw_at: made(throwPoint, (at) => read<Fault>({ kind: "throw_at", at })),
      ...staged,
      ...checkers,
      spoilt_output: spoiltOutput,
      ...bareKeys([...bareDriverFaults, "bad_output"]),
    }),
  }),
);

/** The faults of one attempt; at most one fault of the store for each stage. */
export const faultPlan: Reader<readonly Fault[]> = made(list(fault, "a list of faults"), (faults, place) => {
  const hits = new Map<DriverStage, string>();
  for (const each of faults.filter(isDriverFault)) {
    const stage = stageOf(each);
    const other = hits.get(stage);
    if (other !== undefined) {
      return report(
        place,
        `expected one fault of the store for each stage, seen ${other} and ${each.kind} on ${stage}`,
      );
    }
    hits.set(stage, each.kind);
  }
  return read(faults);
});

/** What stands in `$defs` of the published schema. */
export const faultDefinitions = [driverFault, fault];
