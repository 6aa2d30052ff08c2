import assert from "node:assert/strict";
import { type BitstateOptions, type BitstateSearch, bitstate } from "./bitstate.js";
import type { Machine } from "./machine.js";

/** Where a machine comes from, since none can be sent to a process: a function that makes it from plain data. */
export type MachineSource = {
  /** Address of the module. */
  readonly module: string;
  readonly exportName: string;
  readonly description: unknown;
};

export type BitstateTask = { readonly source: MachineSource; readonly options: BitstateOptions };

/** Searches with one seed the machine that the module makes. */
export default async function bitstateWorker({ source, options }: BitstateTask): Promise<BitstateSearch> {
  return bitstate(await made(source), options);
}

async function made({ module, exportName, description }: MachineSource): Promise<Machine> {
  const loaded = await import(module);
  const make: unknown = loaded[exportName];
  assert(
    typeof make === "function",
    `${module} does not export a function ${exportName} that makes a machine`,
  );
  return make(description);
}
