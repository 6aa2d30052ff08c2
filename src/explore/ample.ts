import type { Reductions, Slots } from "./machine.js";

/**
 * Moves the actions of the lowest process that can act in `state` and is local there to the front; how many they are,
 * 0 if there is no such process. They are an ample set: what the others do meanwhile can as well be done after.
 */
export function ampleFirst(
  { processes, processOf, isLocal }: Reductions,
  state: Slots,
  actions: Int32Array,
  enabled: number,
): number {
  let lowest = processes;
  let refused = -1;
  for (let index = 0; index < enabled; index++) {
    const process = processOf(actions[index] ?? 0);
    if (process >= lowest || process === refused) continue;
    if (isLocal(state, process)) lowest = process;
    else refused = process;
  }
  if (lowest === processes) return 0;
  let front = 0;
  for (let index = 0; index < enabled; index++) {
    const action = actions[index] ?? 0;
    if (processOf(action) !== lowest) continue;
    actions[index] = actions[front] ?? 0;
    actions[front] = action;
    front++;
  }
  return front;
}
