/** Something wrong in a rule file; line and column count from 1. */
export type RuleMistake = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Like `then.idempotent.key`; empty for the whole file. */
  readonly path: string;
  /** What was expected, what was seen, and the nearest right word if there is one. */
  readonly message: string;
};

/** A mistake that has no place within its file or folder. */
export function inWhole(file: string, message: string): RuleMistake {
  return { file, line: 1, column: 1, path: "", message };
}
