/** A mistake of the person who asked: what was expected and seen, where, and what to do next. Ends as exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Flag, variable, or file (with line) that holds the mistake; empty if there is no such place. */
  readonly place: string;
  /** What the person can do now; empty if the message says it all. */
  readonly nextStep: string;

  constructor(mistake: { message: string; place?: string; nextStep?: string }) {
    super(mistake.message);
    this.place = mistake.place ?? "";
    this.nextStep = mistake.nextStep ?? "";
  }
}
