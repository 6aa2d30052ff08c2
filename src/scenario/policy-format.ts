import type { PolicySetting } from "../model/vocabulary.js";
import { byShape, described, made, type Named, named, type Reader, read } from "./reader.js";
import { record } from "./record.js";
import { only, whole, word } from "./scalars.js";

/** How many copies a policy may allow. */
export const copies = whole("a whole number from 0 to 9", 0, 9);

/** Whether every write has to be approved, or only one that its context does not permit. */
export const approvalRule = word(["required", "not_required"], "whether every write is approved");

/** A limit on copies, with the rule for writes where there are approvals. */
export const limit: Named<PolicySetting> = named(
  "limit",
  made(
    record(
      "a policy like { max_copies: 3 }",
      { max_copies: copies },
      { approval: described(approvalRule, "With approvals; not_required if not written.") },
    ),
    (said) => read<PolicySetting>({ kind: "limit", ...said }),
  ),
);

/** The policy at the start. */
export const startPolicy: Reader<PolicySetting> = orWithout("a policy like { max_copies: 3 }", "missing");

/** The policy to which a step changes. */
export const newPolicy: Reader<PolicySetting> = orWithout("a policy like { max_copies: 1 }", "remove");

function orWithout(policy: string, without: "missing" | "remove"): Reader<PolicySetting> {
  const wants = `${policy}, or ${without}`;
  return byShape(wants, {
    scalar: made(only(without, wants), () => read<PolicySetting>({ kind: "remove" })),
    map: limit,
  });
}
