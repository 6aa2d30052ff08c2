import { isSeq } from "yaml";
import { numbered, type WrittenStep } from "./consent-format.js";
import { dispatched } from "./dispatch.js";
import { startOf } from "./document.js";
import { expectation } from "./expect-format.js";
import { someText } from "./name-format.js";
import { startPolicy } from "./policy-format.js";
import { described, list, made, type Reader, read, report, seen } from "./reader.js";
import { record } from "./record.js";
import { text, whole, word } from "./scalars.js";
import { defaultExecutor, formatVersion, type Scenario } from "./scenario.js";
import { step } from "./step-format.js";

/** Names that may occur; without a list any name may. */
export type Known = { readonly profiles?: readonly string[]; readonly executors?: readonly string[] };

/** The one version of the format. */
export const version: Reader<number> = {
  wants: `format version ${formatVersion}`,
  schema: { const: formatVersion },
  read: (place) => {
    const matches = "value" in place.node && place.node.value === formatVersion;
    const expected = `expected ${formatVersion}, the only format version that this program reads`;
    return matches ? read(formatVersion) : report(place, `${expected}, seen ${seen(place.node)}`);
  },
};

const steps: Reader<{ readonly written: readonly WrittenStep[]; readonly lines: readonly number[] }> = made(
  list(step, "a list of at least one step", 1),
  (written, { node, offset, sheet }) => {
    const items: readonly unknown[] = isSeq(node) ? node.items : [];
    return read({ written, lines: items.map((item) => sheet.lineOf(startOf(item, offset))) });
  },
);

const found = record(
  "where a counterexample was found",
  {
    seed: whole("the seed, a whole number", Number.MIN_SAFE_INTEGER),
    path: text("the path, a text"),
    version: text("the version, a text"),
    date: text("the date, a text"),
  },
  {},
);

/** The whole file, but for the names of attempts, which `checkNames` follows through the steps. */
export function scenarioFormat(known: Known): Reader<Scenario> {
  const profile = known.profiles ? word(known.profiles, "a profile") : someText;
  const executor = known.executors ? word(known.executors, "an executor") : someText;
  return made(
    record(
      "a scenario",
      {
        commitpoint: described(version, "The format version."),
        name: described(someText, "One clause that says what this shows."),
        profile: described(profile, "The profile whose machine says what is allowed."),
        about: described(text("a text"), "Why it matters."),
        source: described(text("a text"), "Where the behaviour was first seen."),
        policy: described(startPolicy, "The policy at the start, its revision 1."),
        steps: described(steps, "The interleaving."),
        expect: described(expectation, "What the steps leave behind."),
      },
      {
        executor: described(
          executor,
          "The built-in one of the profile if not written: ledger, guarded, ruled.",
        ),
        notes: described(text("a text"), "What a reader should know besides."),
        found: described(found, "Where a kept counterexample was found."),
      },
    ),
    ({ commitpoint: _version, steps: { written, lines }, executor: named, ...rest }) => {
      const actions = numbered(written).map((action) => dispatched(action, rest.profile));
      return read({ ...rest, executor: named ?? defaultExecutor(rest.profile), actions, lines });
    },
  );
}
