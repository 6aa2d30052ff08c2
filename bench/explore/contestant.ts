import type { Reduction } from "../../src/explore/exploration.js";
import type { Machine } from "../../src/explore/machine.js";
import { pipelineMachine } from "../../src/explore/pipeline/pipeline-machine.js";
import { search } from "../../src/explore/search.js";
import { type Contestant, contestants, type Measured, warmUpSizes } from "./contestants.js";
import { ledgerBounded } from "./ledger-bounds.js";
import { ledgerObjects } from "./ledger-objects.js";
import { naiveSearch, type ObjectMachine } from "./naive-search.js";
import { smallModel } from "./small-model.js";
import { smallModelObjects } from "./small-model-objects.js";
import { sizeNamed } from "./small-model-shape.js";

const [name = "", size = ""] = process.argv.slice(2);
const found = contestants.find((contestant) => contestant.name === name);
if (found === undefined) throw new Error(`there is no contestant called ${JSON.stringify(name)}`);
const run = runOf(found);
run(warmUpSizes[found.model]);
const before = performance.now();
const usedBefore = process.cpuUsage();
const counts = run(size);
const used = process.cpuUsage(usedBefore);
const measured: Measured = {
  ...counts,
  wall: performance.now() - before,
  processor: (used.user + used.system) / 1000,
};
console.log(JSON.stringify(measured));

type Counts = Omit<Measured, "wall" | "processor">;

function runOf({ model, search: by }: Contestant): (size: string) => Counts {
  switch (model) {
    case "small model":
      return by === "naive"
        ? (of) => naively(smallModelObjects(sizeNamed(of)))
        : (of) => searched(smallModel(sizeNamed(of)), by);
    case "ledger machine":
      return by === "naive"
        ? (of) => naively(ledgerObjects(ledgerBounded(of)))
        : (of) => searched(pipelineMachine(ledgerBounded(of), { recovery: "left_out" }), by);
  }
}

/** Throws if a promise is broken: none is in these machines. */
function searched(machine: Machine, reduction: Reduction): Counts {
  const { states, transitions, depth, deadEnds, bytes, always } = search(machine, {
    reduction,
    stored: "states",
  });
  const broken = always.filter(({ verdict }) => verdict.kind !== "holds");
  if (broken.length > 0) throw new Error(`${machine.name} breaks ${broken.map(({ id }) => id).join(", ")}`);
  return { states, transitions, depth, deadEnds: deadEnds.length, bytes: bytes.now, peakBytes: bytes.peak };
}

function naively<State>(machine: ObjectMachine<State>): Counts {
  const { states, transitions, depth, broken } = naiveSearch(machine);
  if (broken.size > 0) throw new Error(`the machine breaks ${[...broken].join(", ")}`);
  return { states, transitions, depth };
}
