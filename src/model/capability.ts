import { type CapabilityPart, capabilityParts, type Grant } from "./vocabulary.js";

/** Which parts a caller could tell; one that is absent fits no grant. */
export type Asked = { readonly [Part in CapabilityPart]?: string | undefined };

export type CapabilityVerdict =
  | { readonly action: "allow" }
  | { readonly action: "block"; readonly code: CapabilityPart };

/**
 * Allows exactly what one held grant names in all four parts. A refusal's code is the first part that no grant fits
 * among those that fit all parts before it. A grant with a part that names nothing is none, so that a request with such
 * a part, or without one, fits none.
 */
export const decideCapability = (asked: Asked, held: readonly Grant[]): CapabilityVerdict => {
  let fitting = held.filter((grant) => capabilityParts.every((part) => namesSomething(grant[part])));
  for (const part of capabilityParts) {
    fitting = fitting.filter((grant) => grant[part] === asked[part]);
    if (fitting.length === 0) return { action: "block", code: part };
  }
  return { action: "allow" };
};

/** Half a surrogate pair has no UTF-8 form: whatever stores or prints it makes another name of it. */
const namesSomething = (text: string): boolean => text !== "" && !/\p{Surrogate}/u.test(text);
