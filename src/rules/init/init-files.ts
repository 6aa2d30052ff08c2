import { starterRules } from "./starter-rules.js";
import { starterTraces } from "./starter-traces.js";

/** A file to begin with; `path` is relative, with `/`, and `about` says in one sentence what the file is for. */
export type InitFile = { readonly path: string; readonly text: string; readonly about: string };

/**
 * Two rule files, a baseline on which they hold and an incident that breaks both. Baseline and incident lie in folders of
 * their own: a gate that is never green on something cannot show that it is red for a reason.
 */
export function initFiles(): readonly InitFile[] {
  return [...starterRules, ...starterTraces];
}
