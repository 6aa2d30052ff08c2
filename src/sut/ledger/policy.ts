import type { PolicySetting } from "../../model/vocabulary.js";
import type { Policy } from "./guards.js";
import type { Environment } from "./stages.js";
import type { StepStore } from "./store.js";

/** Every limit takes a revision never used before, also the same limit again; a removal takes none. */
export function setPolicy(setting: PolicySetting, { store }: Environment): void {
  store.run("begin");
  try {
    if (setting.kind === "remove") store.run("removePolicy");
    else {
      store.run("nextRevision");
      store.run("putPolicy", { maxCopies: setting.maxCopies });
    }
    store.run("commit");
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

export function readPolicy(store: StepStore): Policy | undefined {
  const row = store.row("readPolicy");
  return isPolicy(row) ? row : undefined;
}

function isPolicy(row: unknown): row is Policy {
  return (
    typeof row === "object" &&
    row !== null &&
    "revision" in row &&
    typeof row.revision === "number" &&
    "maxCopies" in row &&
    typeof row.maxCopies === "number"
  );
}
