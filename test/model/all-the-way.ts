import type { Happening } from "../../src/model/vocabulary.js";
import { complete, river2 } from "./fixture.js";
import { advanced, completed, draft, ended, observed, parked, receiptRow, submitted } from "./history.js";

export const accepted = completed(1, "accepted", "ok", complete, true);
export const acceptedRow = receiptRow(1, "a1", "accepted", "ok", complete, true);

/** a1 goes all the way. */
export const allTheWay: readonly Happening[] = [
  submitted("a1", river2),
  parked("a1", "before_business"),
  observed(),
  advanced("a1"),
  parked("a1", "after_business"),
  observed({ effects: [draft] }),
  advanced("a1"),
  parked("a1", "output_check"),
  observed({ effects: [draft] }),
  advanced("a1"),
  ended("a1", accepted),
  observed({ effects: [draft], receipts: [acceptedRow] }),
];
