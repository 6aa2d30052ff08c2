import { effectClasses, type Json } from "../../../model/vocabulary.js";

/** Arguments that a tool's schema has accepted. */
export type ToolArguments = { readonly [name: string]: string | number };

export type ReadArguments =
  | { readonly kind: "valid"; readonly args: ToolArguments }
  | { readonly kind: "invalid"; readonly code: string };

export type GuardedTool = {
  readonly name: string;
  /** `read`, `write` or `external`; whatever a registry that let something else in would hold needs approval always. */
  readonly effect: string;
  /** The role that an approver of its calls must hold. */
  readonly role: string;
  readonly readArguments: (raw: unknown) => ReadArguments;
  /** The business key; empty for a tool without one. */
  readonly key: (args: ToolArguments) => string;
  /** What the policy limits. */
  readonly weight: (args: ToolArguments) => number;
  /** What a call touches, as capabilities name it. */
  readonly resource: (args: ToolArguments) => string;
  readonly result: (args: ToolArguments) => Json;
  /** Carries a committed effect out of the store. Rejects if it cannot. */
  readonly deliver?: (args: ToolArguments, delivery: Delivery) => Promise<void>;
};

/** `again`: the effect was there before, so that it may have been carried out already. */
export type Delivery = { readonly tenant: string; readonly again: boolean };

export type Registry = { readonly find: (name: string) => GuardedTool | undefined };

/** The tools cannot be registered: which one, why, and what to do next. */
export class RegistryMistake extends Error {
  override readonly name = "RegistryMistake";
}

/** Throws `RegistryMistake` for a tool whose effect class is none of the three, and for a name that is taken. */
export function createRegistry(tools: readonly GuardedTool[]): Registry {
  const byName = new Map<string, GuardedTool>();
  for (const tool of tools) {
    if (!effectClasses.some((known) => known === tool.effect)) {
      throw new RegistryMistake(
        `tool ${tool.name} has the effect class "${tool.effect}"; nothing was registered. ` +
          `Say what its calls do to the world: ${effectClasses.join(", ")}`,
      );
    }
    if (byName.has(tool.name)) {
      throw new RegistryMistake(
        `two tools are called ${tool.name}; nothing was registered. Rename one of them`,
      );
    }
    byName.set(tool.name, tool);
  }
  return { find: (name) => byName.get(name) };
}

/** Whether a call can be repeated and asked about without doing anything twice: it reads, or its effect has a key. */
export function isIdempotent(tool: GuardedTool, args: ToolArguments): boolean {
  return tool.effect === "read" || tool.key(args) !== "";
}
