import { nearest } from "./nearest.js";
import type { Given } from "./values.js";

/** What the surroundings say: whether this is CI, and the variables that stand in for flags. */
export type Environment = {
  readonly ci: boolean;
  /** By name without `COMMITPOINT_`; empty ones are left out. */
  readonly variables: ReadonlyMap<string, string>;
  /** One line for each `COMMITPOINT_*` variable that nobody reads. */
  readonly warnings: readonly string[];
};

const prefix = "COMMITPOINT_";

const known = [
  "CONFIG",
  "EXECUTOR",
  "SEED",
  "RUNS",
  "TIME",
  "MAX_ACTIONS",
  "SHARD",
  "WORKERS",
  "PROMISE",
  "ALLOW_VACUOUS",
  "OUTPUT_DIR",
  "REPORTER",
] as const;

export type VariableName = (typeof known)[number];

export function readEnvironment(env: { readonly [name: string]: string | undefined }): Environment {
  const variables = new Map<string, string>();
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || value === undefined || value === "") continue;
    const suffix = name.slice(prefix.length);
    if (known.some((word) => word === suffix)) variables.set(suffix, value);
    else warnings.push(`ignored variable ${name}${guess(suffix)}`);
  }
  return { ci: isCi(env.CI), variables, warnings };
}

export function variable(environment: Environment, name: VariableName): Given | undefined {
  const text = environment.variables.get(name);
  return text === undefined ? undefined : { text, place: `${prefix}${name}=${text}` };
}

function isCi(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}

function guess(suffix: string): string {
  const near = nearest(suffix, known);
  return near === undefined ? "" : `; did you mean ${prefix}${near}?`;
}
