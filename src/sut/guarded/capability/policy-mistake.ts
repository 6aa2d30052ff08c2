/** The policies cannot be used as written: each place, the cause there, and what to do next. */
export class PolicyMistake extends Error {
  override readonly name = "PolicyMistake";

  constructor(mistakes: readonly string[]) {
    super(
      `expected policies that parse and fit the schema, but:\n${mistakes.map((line) => `  ${line}`).join("\n")}\n` +
        "Nothing was loaded. Correct the policies and load again",
    );
  }
}
