/** Where something stands in a file; line and column count from 1, in characters; the end is exclusive. */
export type Region = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
};

export const severities = ["critical", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** The two places that enforce a rule: the gate reads recorded traces, the guard stands before the next call. */
export const exits = ["ci", "runtime"] as const;
export type Exit = (typeof exits)[number];

/** The value of a key is the template with each `${name}` replaced by that argument. */
export type KeyTemplate = {
  /** As the rule spells it, such as `${tenant}/${order_id}`. */
  readonly text: string;
  readonly parts: readonly (
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "argument"; readonly name: string }
  )[];
};

/** What a rule claims, once its condition holds. */
export type Assertion =
  | { readonly kind: "forbid_tool"; readonly tools: readonly string[]; readonly at: Region }
  /** A closed list: every tool that it does not name is refused. */
  | { readonly kind: "allow_tool"; readonly tools: readonly string[]; readonly at: Region }
  /** Each of the tools is called at least once before the trace ends. */
  | { readonly kind: "require_tool"; readonly tools: readonly string[]; readonly at: Region }
  /** At most so many calls of whatever tool in one conversation; refused calls count. */
  | { readonly kind: "max_tool_calls"; readonly most: number; readonly at: Region }
  /** At most one transaction of the tool under one key. */
  | { readonly kind: "idempotent"; readonly tool: string; readonly key: KeyTemplate; readonly at: Region }
  /** What the user has said by turn `saidBy` the agent still says, letter for letter, in turn `stillAt`. */
  | {
      readonly kind: "memory_persistence";
      /** Any one of these spellings counts. */
      readonly fact: readonly string[];
      readonly saidBy: number;
      readonly stillAt: number;
      readonly at: Region;
    };

export type AssertionKind = Assertion["kind"];

/** The condition of a whole rule; an empty one always holds. What holds once in a conversation goes on holding. */
export type Condition = {
  /** One of these occurs in what the user has said so far; letter case does not matter. Empty: no such condition. */
  readonly intentAny: readonly string[];
  /** The conversation has had a turn of these, both ends included. It switches the rule on and limits nothing else. */
  readonly turnRange: { readonly first: number; readonly last: number } | undefined;
};

/** One rule of a rule set; several documents of one file are several rules. */
export type Rule = {
  /** Unique in its rule set. */
  readonly name: string;
  readonly when: Condition;
  readonly then: readonly Assertion[];
  readonly where: Readonly<Record<Exit, boolean>>;
  readonly severity: Severity;
  readonly description: string;
  /** Of the rule's name. */
  readonly at: Region;
};
