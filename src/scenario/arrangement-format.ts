import { isMap, type Node } from "yaml";
import { arrangements } from "../frameworks/arrangements.js";
import type { FrameworkVerdict } from "../frameworks/framework-verdicts.js";
import { promises } from "../frameworks/promises.js";
import { version } from "./format.js";
import { someText } from "./name-format.js";
import { described, list, made, type Reader, read } from "./reader.js";
import { record } from "./record.js";
import { only, text, word } from "./scalars.js";

/** The profile of the small machine of one turn of an agent framework. */
export const frameworkProfile = "agent-framework";

/** What an arrangement of a framework's checks is said to promise: a verdict for each promise. */
export type ArrangementScenario = {
  readonly name: string;
  readonly about: string;
  readonly source: string;
  readonly arrangement: string;
  readonly verdicts: ReadonlyMap<string, FrameworkVerdict["verdict"]>;
};

/** Whether a file is about an arrangement; it has no steps, since every interleaving is meant. */
export function isAboutArrangement(root: Node): boolean {
  return isMap(root) && (root.has("arrangement") || root.get("profile") === frameworkProfile);
}

const promise = word(
  promises.map(({ id }) => id),
  "a promise of an arrangement",
);
const some = (wants: string): Reader<readonly string[]> => list(promise, wants);

/** The file: promises that are in neither list must have no situation in any interleaving. */
export const arrangementFormat: Reader<ArrangementScenario> = made(
  record(
    "a scenario of an arrangement",
    {
      commitpoint: described(version, "The format version."),
      name: described(someText, "One clause that says what this shows."),
      profile: only(frameworkProfile, `${frameworkProfile}, the profile of arrangements`),
      about: described(text("a text"), "Why it matters."),
      source: described(text("a text"), "Where the behaviour was first seen."),
      arrangement: word(
        arrangements.map(({ name }) => name),
        "an arrangement",
      ),
      expect: record(
        "what the arrangement keeps and breaks",
        { keeps: some("a list of promises"), breaks: some("a list of promises") },
        {},
      ),
    },
    {},
  ),
  ({ name, about, source, arrangement, expect: { keeps, breaks } }, place) => {
    const both = keeps.find((id) => breaks.includes(id));
    if (both !== undefined) {
      place.sheet.report(place.offset, "expect", `expected each promise once, seen "${both}" in both lists`);
    }
    const verdicts = new Map<string, FrameworkVerdict["verdict"]>([
      ...promises.map(({ id }) => [id, "not_applicable"] as const),
      ...keeps.map((id) => [id, "holds"] as const),
      ...breaks.map((id) => [id, "violated"] as const),
    ]);
    return read({ name, about, source, arrangement, verdicts });
  },
);
