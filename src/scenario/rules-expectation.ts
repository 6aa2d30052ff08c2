import type { ReservationRow } from "../model/vocabulary.js";
import { differences, type Mismatch, rowMismatches } from "./differences.js";
import { defaultTenant } from "./dispatch.js";
import type { Remains } from "./left-behind.js";
import type { LeftBehind, ReservationExpectation } from "./scenario.js";

/** Where reservations and what the gate said differ; what is not observed at all differs from whatever is expected. */
export function rulesMismatches(
  { reservations, gates }: LeftBehind,
  { store, gates: said }: Remains,
): readonly Mismatch[] {
  return [
    ...(reservations === undefined ? [] : reservationMismatches(reservations, store?.reservations)),
    ...differences([["gates", gates, said]]),
  ];
}

function reservationMismatches(
  expect: number | readonly ReservationExpectation[],
  rows: readonly ReservationRow[] | undefined,
): readonly Mismatch[] {
  if (rows === undefined) {
    return [{ path: "reservations", expected: "rows of reservations", seen: "an executor that shows none" }];
  }
  return rowMismatches<ReservationExpectation, ReservationRow>(
    "reservations",
    expect,
    rows,
    nameOf,
    (each, row) =>
      differences([
        ["tenant", each.tenant ?? defaultTenant, row.tenant],
        ["key", each.key, row.key],
        ["state", each.state, row.state],
      ]),
  );
}

function nameOf({ tenant = defaultTenant, key }: ReservationExpectation | ReservationRow): string {
  return `${tenant}/${key}`;
}
