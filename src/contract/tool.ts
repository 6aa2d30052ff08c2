import type { Context, EffectClass, Facts, Grant, Json } from "../model/vocabulary.js";

/**
 * What a tool promises, independent of any executor. The harness judges by it; an executor never sees it.
 * Every function is pure and total over any text.
 */
export type ToolContract = {
  readonly name: string;
  readonly effect: EffectClass;
  /** What a request, given as JSON text, means: refused with a code, or a key, a digest and a weight. */
  readonly interpret: (request: string) => Facts;
  /** Whether `output` is what this valid request may release. False for an invalid request. */
  readonly accepts: (output: Json, request: string) => boolean;
  /** Texts of this request that no receipt, error text or log line may hold; the key is exempt. */
  readonly canaries: (request: string) => readonly string[];
  /** Requests to generate from: `weight` and `key` of each follow from `interpret`. */
  readonly requests: RequestSource;
  /** Whether `output` is what may be left of the value for this valid request once personal parts are hidden. */
  readonly acceptsPart?: (output: Json, request: string) => boolean;
  /** Whether `output` is the fixed question that is asked in place of an answer. */
  readonly acceptsQuestion?: (output: Json) => boolean;
  /** Several tools under one name: what is asked of the contract is asked of the tool that the context names. */
  readonly toolbox?: Toolbox;
};

export type Toolbox = {
  readonly tools: readonly ToolContract[];
  /** What is held when a run starts. */
  readonly capabilities: readonly Grant[];
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

/** The contract of the tool that a call goes to: one of the toolbox, or the contract itself where there is none. */
export function contractFor(contract: ToolContract, { dispatch }: Context): ToolContract {
  if (contract.toolbox === undefined || dispatch === undefined) return contract;
  return contract.toolbox.tools.find(({ name }) => name === dispatch.tool) ?? unknownTool(contract);
}

/** A tool that is not in the box refuses everything. */
function unknownTool(contract: ToolContract): ToolContract {
  return {
    ...contract,
    interpret: () => ({ kind: "invalid", code: "unknown_tool" }),
    accepts: () => false,
    canaries: () => [],
  };
}

/** What a call's request means by the contract of the tool that it goes to. */
export function interpretFor(contract: ToolContract): (request: string, context: Context) => Facts {
  if (contract.toolbox === undefined) return contract.interpret;
  return (request, context) => contractFor(contract, context).interpret(request);
}

/** Simpler requests for the same tool; where no context tells the tool, for the one that accepts the request. */
export function simplerFor(
  contract: ToolContract,
): (request: string, context?: Context) => readonly string[] {
  const { toolbox } = contract;
  if (toolbox === undefined) return contract.requests.simpler;
  return (request, context) => {
    const tool =
      context === undefined
        ? toolbox.tools.find(({ interpret }) => interpret(request).kind === "valid")
        : contractFor(contract, context);
    return (tool ?? contract).requests.simpler(request);
  };
}
