import { phases } from "../../../src/explore/pipeline/layout.js";
import type { PipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";

/** The machine, but that a step which breaks a promise leads to an end: a run is judged no further, either. */
export function untilBroken(machine: PipelineMachine): PipelineMachine {
  return {
    ...machine,
    step: (state, action, next) => {
      machine.step(state, action, next);
      const showing = machine.showings[machine.showingOfStep(state, action, next)];
      if (showing === undefined || showing.broken.length === 0) return;
      next.fill(0);
      next[machine.layout.phase] = phases.indexOf("probe_stuck");
    },
  };
}
