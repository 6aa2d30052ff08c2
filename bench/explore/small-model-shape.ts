/** How large the small model is: `attempts` over `keys`, so many policy changes, so many retries of an attempt. */
export type SmallModelSize = {
  readonly attempts: number;
  readonly keys: number;
  readonly policyChanges: number;
  readonly retries: number;
};

/** The size that is written as its four numbers, such as 3/2/2/1. Throws if it is not. */
export function sizeNamed(name: string): SmallModelSize {
  const [attempts, keys, policyChanges, retries] = name.split("/").map(Number);
  if (!/^[0-9]+(\/[0-9]+){3}$/.test(name) || attempts === undefined || keys === undefined) {
    throw new Error(
      `a size is attempts/keys/policy changes/retries, such as 3/2/2/1, not ${JSON.stringify(name)}`,
    );
  }
  return { attempts, keys, policyChanges: policyChanges ?? 0, retries: retries ?? 0 };
}

/** What an attempt has come to; the number is its pc. */
export const phase = {
  submitted: 0,
  validated: 1,
  checked: 2,
  committed: 3,
  outputPassed: 4,
  receiptWritten: 5,
  released: 6,
  refused: 7,
  cancelled: 8,
} as const;

/** The low four bits of an action say what is done, the others which attempt does it. From `validate` on: by key. */
export const act = {
  check: 0,
  commit: 1,
  passOutput: 2,
  refuseOutput: 3,
  writeReceipt: 4,
  refuseReceipt: 5,
  release: 6,
  cancel: 7,
  retry: 8,
  validate: 9,
} as const;

/** Names of what is done, in the order of `act`, and the policy change. */
export const kinds: readonly string[] = [
  "check",
  "commit",
  "pass output",
  "refuse output",
  "write receipt",
  "refuse receipt",
  "release",
  "cancel",
  "retry",
  "validate",
  "policy change",
];

export const policyChange = 10;

/** Where the slots of an attempt lie, from its first one on. */
export const place = { pc: 0, key: 1, snap: 2, crev: 3, tries: 4, mine: 5, rcpt: 6 } as const;

/** Where everything lies in a state. */
export type Shape = SmallModelSize & {
  readonly revision: number;
  readonly limit: number;
  readonly draft: number;
  readonly count: number;
  readonly firstAttempt: number;
  readonly slotsOfAttempt: number;
  readonly policyAction: number;
};

/** Throws if there are more keys than an action can name. */
export function shapeOf(size: SmallModelSize): Shape {
  if (size.keys > 7) throw new Error(`the small model takes up to 7 keys, not ${size.keys}`);
  return {
    ...size,
    revision: 0,
    limit: 1,
    draft: 2,
    count: 2 + size.keys,
    firstAttempt: 2 + 2 * size.keys,
    slotsOfAttempt: 7,
    policyAction: size.attempts << 4,
  };
}
