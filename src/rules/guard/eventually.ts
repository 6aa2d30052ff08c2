/** A value, or one that is still to come. */
export type Eventually<Value> = Value | PromiseLike<Value>;

/** Whether an answer is still to come. */
export function isPromiseLike<Value>(value: Eventually<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
