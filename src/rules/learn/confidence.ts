/**
 * How sure a candidate is, on a scale from 0 to 1 that only stated evidence moves: a base for what was seen, plus and
 * minus for what speaks for and against it, within `floor` and `ceiling`. From `worthWriting` on it is written to a file.
 */
export const confidence = {
  floor: 0.1,
  ceiling: 0.95,
  worthWriting: 0.6,

  /** A tool was called again with the same value of an argument whose name, or else whose value, tells things apart. */
  repeated: {
    /** `order_id`, 订单号: names the transaction. */
    transaction: 0.8,
    /** `ticket_id`, 编号: names some one thing. */
    identifier: 0.65,
    /** The name says nothing, the value looks like `A-1001`. */
    value: 0.55,
    /** `user_id`, 手机号: names who it is for, and the same person may well come twice. */
    owner: 0.4,
  },
  /** The tool's name says that it does what is hard to undo. */
  destructiveTool: 0.1,
  /** Such a tool got another amount the second time: it may be the second part of one transaction. */
  otherAmount: -0.1,
  /** Another tool got any other argument the second time: it may be another step on the same thing. */
  otherArguments: -0.3,
  /** Another argument that tells things apart differs. */
  otherIdentifier: -0.3,
  /** No earlier call is known to have worked: the repeat may be a retry. */
  unknownOutcome: -0.1,

  /** A tool was called though the user had asked for nothing but information. */
  unasked: {
    destructive: 0.82,
    /** `update_address`, 修改: changes something, but might be part of an answer. */
    changing: 0.62,
  },
  /** The words come from a turn that is no plain question. */
  indirectWords: -0.12,
  /** In another conversation with these words the user did ask for the act. */
  askedElsewhere: -0.3,
  /** The most where no word is left for a condition, so that the rule would refuse the tool always. */
  withoutWords: 0.55,

  /** The same call so many times in a row, by the length of the row; the last that is reached counts. */
  loop: [
    { calls: 4, base: 0.5 },
    { calls: 6, base: 0.65 },
    { calls: 10, base: 0.8 },
  ],
  /** The most where a limit that lets healthy conversations pass does not stop the loop. */
  looseLimit: 0.4,
  /** It asks how far something is, and asking again until it is there is no loop. */
  polling: -0.15,

  /** The same was seen in each further conversation. */
  seenAgain: 0.03,
} as const;

/** The sum, rounded to hundredths and held between `floor` and `ceiling`. */
export function total(...parts: readonly number[]): number {
  const sum = parts.reduce((one, other) => one + other, 0);
  const held = Math.min(confidence.ceiling, Math.max(confidence.floor, sum));
  return Math.round(held * 100) / 100;
}
