import type { Assertion, Rule } from "../rule.js";
import { quoted } from "./exported.js";

/**
 * Tools whose calls promptfoo turns into steps of type `command` under the name of the command, where no assertion
 * about tools sees them (promptfoo 0.123, `src/assertions/trajectoryUtils.ts`; its main branch adds `execute`).
 */
const shellTools: readonly string[] = ["exec_command", "local_shell", "shell", "execute"];

/** `*` and `?` are its wildcards, `{{`, `{%` and `{#` its templates; the others are wildcards of many globs. */
const patternSigns = /[*?[\]{}()!|\\]/;

/** Why promptfoo would not take the tool's name literally, or `undefined` if it would; `names` are all of the rule set. */
export function promptfooNameRefusal(tool: string, names: ReadonlySet<string>): string | undefined {
  const name = `promptfoo cannot name the tool ${quoted(tool)}:`;
  if (tool.trim() !== tool || tool === "") {
    return `${name} it trims names, and an empty one matches every tool`;
  }
  if (patternSigns.test(tool)) {
    return `${name} it reads names as patterns and templates`;
  }
  if (/^(file:\/\/|package:)/.test(tool)) {
    return `${name} it would load a file of that name`;
  }
  if (shellTools.includes(tool.toLowerCase())) {
    return `${name} it renames the calls of shell tools to their commands`;
  }
  const twin = [...names].find((other) => other !== tool && other.toLowerCase() === tool.toLowerCase());
  if (twin !== undefined) {
    return `${name} it ignores letter case, so that ${quoted(twin)} would be the same tool`;
  }
  return undefined;
}

/** Every tool that some rule names. */
export function toolsNamed(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.flatMap((rule) => rule.then.flatMap(toolsOf)));
}

function toolsOf(assertion: Assertion): readonly string[] {
  switch (assertion.kind) {
    case "forbid_tool":
    case "allow_tool":
    case "require_tool":
      return assertion.tools;
    case "idempotent":
      return [assertion.tool];
    case "max_tool_calls":
    case "memory_persistence":
      return [];
  }
}
