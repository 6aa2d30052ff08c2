import type { Facts, Json } from "../model/vocabulary.js";

/**
 * What a tool promises, independent of any executor. The harness judges by it; an executor never sees it.
 * Every function is pure and total over any text.
 */
export type ToolContract = {
  readonly name: string;
  readonly effect: "read" | "write" | "external";
  /** What a request, given as JSON text, means: refused with a code, or a key, a digest and a weight. */
  readonly interpret: (request: string) => Facts;
  /** Whether `output` is what this valid request may release. False for an invalid request. */
  readonly accepts: (output: Json, request: string) => boolean;
  /** Texts of this request that no receipt, error text or log line may hold; the key is exempt. */
  readonly canaries: (request: string) => readonly string[];
  /** Requests to generate from: `weight` and `key` of each follow from `interpret`. */
  readonly requests: RequestSource;
};

/** Deterministic request generation: every number picks a request text, the same number the same text. */
export type RequestSource = {
  /** A valid request on one of `keys` keys (`key` from 0) with the given variant of its other arguments. */
  readonly valid: (key: number, variant: number) => string;
  /** A request that the contract refuses. */
  readonly invalid: (pick: number) => string;
  /** Another valid request with the same key and another digest. */
  readonly changed: (request: string, pick: number) => string;
  /** The same intent under another key. */
  readonly rekeyed: (request: string, key: number) => string;
  /** Simpler requests that mean nearly the same, simplest first; what a minimiser may try instead. */
  readonly simpler: (request: string) => readonly string[];
};
