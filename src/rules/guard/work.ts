import { type Eventually, isPromiseLike } from "./eventually.js";

/** One telling of what is to be done, for callers that wait and for callers that cannot. */
export type Work<Value> = Generator<Step, Value, void>;
type Step = () => PromiseLike<void> | undefined;

/** Has something done, and goes on with its answer or with what it threw. */
export function* ask<Value>(operation: () => Eventually<Value>): Work<Value> {
  const answers: Value[] = [];
  yield () => {
    const answer = operation();
    if (isPromiseLike(answer)) {
      return answer.then((value) => {
        answers.push(value);
      });
    }
    answers.push(answer);
    return undefined;
  };
  for (const answer of answers) return answer;
  throw new Error("went on without an answer");
}

/** Does the work, waiting for each answer. */
export async function later<Value>(work: Work<Value>): Promise<Value> {
  let next = work.next();
  while (next.done !== true) {
    try {
      await next.value();
    } catch (error) {
      next = work.throw(error);
      continue;
    }
    next = work.next();
  }
  return next.value;
}

/** Does the work in one go; whatever has its answer only later counts as thrown, for it cannot be waited for. */
export function atOnce<Value>(work: Work<Value>): Value {
  let next = work.next();
  while (next.done !== true) {
    try {
      refuseLater(next.value());
    } catch (error) {
      next = work.throw(error);
      continue;
    }
    next = work.next();
  }
  return next.value;
}

function refuseLater(pending: PromiseLike<void> | undefined): void {
  if (pending === undefined) {
    return;
  }
  pending.then(undefined, () => {});
  throw new TypeError(
    "a promise came where a value was expected: the synchronous guard cannot wait for it, so it may still be at work; " +
      "use createGuard for asynchronous tools and stores",
  );
}
