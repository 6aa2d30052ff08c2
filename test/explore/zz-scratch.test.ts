import { it } from "vitest";
import { guardedContract } from "../../src/contract/guarded/toolbox.js";
import { guardedMachine } from "../../src/explore/guarded/guarded-machine.js";
import { guardedWorkloads } from "../../src/explore/guarded/workload.js";
import { startSearch } from "../../src/explore/search.js";
import { guardedProfile } from "../../src/sut/guarded/system.js";
it("measures", () => {
  const which = (process.env.WHICH ?? "0").split(",").map(Number);
  for (const w of which) {
    const workload = guardedWorkloads({ profile: guardedProfile, contract: guardedContract, policy: { kind: "limit", maxCopies: 3 }, faults: [] }, { calls: 2, attempts: Number(process.env.ATT ?? 1), crashes: "possible" })[w];
    const machine = guardedMachine(workload!);
    const t = performance.now();
    const going = startSearch(machine, { reduction: { partialOrder: false, symmetry: true }, stored: "states", maxBytes: 3e9, timeMs: 200000 });
    let n = 0;
    while (!going.advance(65536)) { if (n++ % 20 === 0) console.log(JSON.stringify(going.progress()), machine.callStates(), ((performance.now() - t) / 1000).toFixed(1)); }
    const e = going.exploration();
    console.log(workload!.name, e.outcome, e.states, e.transitions, e.depth, machine.callStates(), ((performance.now() - t) / 1000).toFixed(1), "MB", e.bytes.peak / 1e6, process.memoryUsage().rss/1e6);
    for (const a of [...e.always]) if (a.verdict.kind !== "holds") console.log(a.id, a.verdict.kind, "path" in a.verdict ? a.verdict.path.map((s) => s.name) : "");
    console.log("not met:", e.sometimes.filter((s) => s.verdict.kind !== "occurs").map((s) => s.id).join(" "));
  }
}, 600000);
