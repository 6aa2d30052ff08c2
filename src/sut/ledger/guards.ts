import type { Code, Json } from "../../model/vocabulary.js";
import type { DraftArguments } from "./arguments.js";
import { Failure } from "./refusals.js";

export type Policy = { readonly revision: number; readonly maxCopies: number };

export type GuardVerdict = { readonly action: "allow" } | { readonly action: "block"; readonly code: Code };

/** Checks that a team brings along. What they answer is not trusted to be readable. */
export type Guards = {
  readonly check: (args: DraftArguments, policy: Policy) => unknown;
  readonly output: (value: Json, args: DraftArguments) => unknown;
};

export function expectedOutput(args: DraftArguments): Json {
  return { job: args.job, text: `${args.topic} / copies=${args.copies}` };
}

/** The business rule: one call makes at most as many copies as the policy allows. */
export function checkLimit(args: DraftArguments, policy: Policy): GuardVerdict {
  return args.copies <= policy.maxCopies ? { action: "allow" } : { action: "block", code: "batch_limit" };
}

/** Whether a value is exactly what the draft tool promises for these arguments. */
export function checkOutput(value: Json, args: DraftArguments): GuardVerdict {
  const expected = expectedOutput(args);
  return sameRecord(value, expected) ? { action: "allow" } : { action: "block", code: "output_contract" };
}

function sameRecord(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && left[name] === right[name])
  );
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The verdict of a guard; see `readAnswer`. */
export async function readVerdict(
  ask: () => unknown,
  patience: { readonly over: Promise<void>; readonly dismiss: () => void },
): Promise<GuardVerdict> {
  return readAnswer(ask, patience, isVerdict);
}

/**
 * The answer of a guard. A guard that throws, rejects with anything, overruns its time or answers something
 * unreadable has given none, and no answer is a failure, never a pass; `silent` hears of it first.
 */
export async function readAnswer<Answer>(
  ask: () => unknown,
  patience: { readonly over: Promise<void>; readonly dismiss: () => void },
  isAnswer: (value: unknown) => value is Answer,
  silent: () => void = () => {},
): Promise<Answer> {
  const answer = Promise.resolve()
    .then(ask)
    .then(
      (value) => ({ answered: true, value }),
      () => ({ answered: false, value: undefined }),
    );
  const outOfTime = patience.over.then(() => ({ answered: false, value: undefined }));
  const { answered, value } = await Promise.race([answer, outOfTime]);
  patience.dismiss();
  if (answered && isAnswer(value)) return value;
  silent();
  throw new Failure("no_verdict");
}

function isVerdict(value: unknown): value is GuardVerdict {
  if (typeof value !== "object" || value === null || !("action" in value)) return false;
  return (
    value.action === "allow" ||
    (value.action === "block" && "code" in value && typeof value.code === "string")
  );
}
