import type { KnownBug } from "./known-bug.js";
import { type Fields, mending } from "./lenient-fields.js";
import { submit } from "./witness-steps.js";

/** The mistake: the fields are copied by assignment, and assigning to `__proto__` adds no field. */
export const acceptsProtoKey: KnownBug = {
  name: "accepts-proto-key",
  says: "accepts a request with a field named __proto__",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", '{"job":"JOB-001","topic":"river","copies":2,"__proto__":{}}')],
  variant: { stages: () => ({ checkArguments: mending(copied) }) },
};

function copied(fields: Fields): Fields {
  const copy: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(fields)) copy[name] = value;
  return copy;
}
