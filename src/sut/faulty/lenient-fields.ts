import { type CheckedArguments, checkArguments } from "../ledger/arguments.js";

export type Fields = { readonly [name: string]: unknown };

/** The sound validation of what `mend` makes of the arguments; anything but an object goes there as it is. */
export function mending(mend: (fields: Fields) => Fields): (raw: unknown) => CheckedArguments {
  return (raw) => checkArguments(isFields(raw) ? mend(raw) : raw);
}

/** The sound validation with another pattern for the job, which goes on as it was written. */
export function matchingJobs(pattern: RegExp): (raw: unknown) => CheckedArguments {
  return (raw) => {
    if (!isFields(raw)) return checkArguments(raw);
    const { job } = raw;
    if (typeof job !== "string" || !pattern.test(job)) return checkArguments(raw);
    const checked = checkArguments({ ...raw, job: "JOB-000" });
    return checked.kind === "valid" ? { kind: "valid", args: { ...checked.args, job } } : checked;
  };
}

function isFields(raw: unknown): raw is Fields {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}
