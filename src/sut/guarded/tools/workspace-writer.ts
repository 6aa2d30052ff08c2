import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWorkspace } from "../../tools/workspace-file.js";
import type { Delivery } from "./registry.js";

/**
 * Writes files below a tenant's folder in `root`, which is made if it is missing, and nowhere else. A file that is there already is asked
 * for its contents: the same is as good as written, other contents are an error.
 */
export function workspaceWriter(base: string): (path: string, content: string, delivery: Delivery) => void {
  return (path, content, { tenant, again }) => {
    const root = join(base, Buffer.from(tenant, "utf8").toString("hex"));
    const folder = dirname(path);
    mkdirSync(folder === "." ? root : join(root, folder), { recursive: true });
    const opening = openWorkspace(realpathSync(root));
    if (opening.kind !== "opened") throw new Error("the workspace cannot be opened");
    const { workspace } = opening;
    try {
      const present = workspace.read(path);
      if (present.kind === "read") {
        if (present.content !== content) throw new Error("another file is there");
        return;
      }
      const created = workspace.create(path, content);
      if (created.kind !== "created")
        throw new Error(again ? "it cannot be written again" : "it cannot be written");
    } finally {
      workspace.close();
    }
  };
}
