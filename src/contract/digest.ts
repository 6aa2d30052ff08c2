import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Json } from "../model/vocabulary.js";

/**
 * SHA-256, as 64 lower-case hex digits, of the RFC 8785 canonical JSON of `value`: the same for every order of
 * properties and every spelling of a number. Throws for a value that has no canonical form (a lone surrogate).
 */
export const canonicalDigest = (value: Json): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("expected a JSON value, which always has a canonical form");
  return createHash("sha256").update(text, "utf8").digest("hex");
};
