/** A tool throws this, and nothing else, to say that it had no effect and can be called again. */
export class NothingHappened extends Error {
  override readonly name = "NothingHappened";
}
