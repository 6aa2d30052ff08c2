import type { PolicySetting } from "../../model/vocabulary.js";
import type { GuardedPolicy } from "./passage.js";
import type { Environment } from "./stages.js";
import type { StepStore } from "./store.js";

/** Every limit takes a revision never used before, also the same limit again; a removal takes none. */
export function setPolicy(setting: PolicySetting, { store }: Environment): void {
  store.run("begin");
  try {
    if (setting.kind === "remove") store.run("removePolicy");
    else {
      const { maxCopies, approval = "not_required" } = setting;
      store.run("nextRevision");
      store.run("putPolicy", { maxCopies, approval });
    }
    store.run("commit");
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

export function readPolicy(store: StepStore): GuardedPolicy | undefined {
  const row = store.row("readPolicy");
  return isPolicy(row) ? row : undefined;
}

function isPolicy(row: unknown): row is GuardedPolicy {
  return (
    typeof row === "object" &&
    row !== null &&
    "revision" in row &&
    typeof row.revision === "number" &&
    "maxCopies" in row &&
    typeof row.maxCopies === "number" &&
    "approval" in row &&
    typeof row.approval === "string"
  );
}
