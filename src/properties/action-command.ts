import type { AsyncCommand } from "fast-check";
import type { Action } from "../model/vocabulary.js";
import type { Drive } from "./drive.js";

/** What a list of commands shares: whether it may go on, and what became of its actions. */
export type Progress = { stopped: boolean; performed: number; skipped: number };

/** An action as a fast-check command: it runs unless a promise is broken already, and is judged when it has run. */
export function actionCommand(action: Action, judge: () => void): AsyncCommand<Progress, Drive> {
  return {
    check: (progress) => !progress.stopped,
    run: async (progress, drive) => {
      progress[await drive.perform(action)]++;
      judge();
    },
    toString: () => action.kind,
  };
}
