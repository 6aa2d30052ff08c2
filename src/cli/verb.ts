import type { Command } from "commander";
import type { Session } from "./session.js";

/** Lets a command do its work in a session; what it returns becomes the exit code. */
export type Verb = (command: Command, work: (session: Session) => Promise<number>) => void;

/** Collects the values of a repeatable option. */
export function collected(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
