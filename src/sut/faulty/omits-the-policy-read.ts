import type { Footprint, Place } from "../footprint.js";
import { type LedgerOptions, openLedgerPort } from "../ledger/system.js";
import type { Port } from "../port.js";

/**
 * A ledger that leaves out of its footprints that the insert of an effect reads the policy, so that a commit looks
 * independent of a policy change. It does everything right itself, unless `options.variant` makes it wrong; the audit
 * must find it out.
 */
export function openOmittingThePolicyRead(options: LedgerOptions): Port {
  const footprint = ({ name }: { readonly name: string }, whole: Footprint): Footprint =>
    name === "insertEffect" ? withoutReadsOf("policy", whole) : whole;
  return openLedgerPort({ ...options, variant: { ...options.variant, footprint } });
}

function withoutReadsOf(table: string, footprint: Footprint): Footprint {
  if (footprint.kind === "unknown") return footprint;
  return { ...footprint, reads: footprint.reads.filter((place: Place) => place.table !== table) };
}
