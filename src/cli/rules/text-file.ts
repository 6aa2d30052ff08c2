import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../config/usage-error.js";
import { type Session, shownPath } from "../session.js";

/** The text of a file that a flag names. @throws UsageError that names `place` */
export function readTextFile(
  { io }: Session,
  file: string,
  place: string,
): { readonly text: string; readonly shown: string } {
  const path = resolve(io.cwd, file);
  try {
    return { text: readFileSync(path, "utf8"), shown: shownPath(io, path) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError({ message: `the file cannot be read: ${reason}`, place });
  }
}
