import type { Bound } from "./sqlite-program.js";

/** Everything in which a sign of a parameter means something else, and then the parameters themselves. */
const tokens =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\p{L}_][\p{L}\p{N}_$]*|[@:$][\p{L}\p{N}_$]+|\?\d*/gu;

/**
 * The parameters of a statement in SQLite's order, with their signs: each name at its first occurrence, each `?` for
 * itself. Empty if the order cannot be told, as with `?3` and `$a::b`.
 */
export function parameterNames(sql: string): readonly string[] {
  const names: string[] = [];
  if (sql.includes("::")) return [];
  for (const [token] of sql.matchAll(tokens)) {
    if (/^\?\d/.test(token)) return [];
    if (token === "?" || (/^[@:$]/.test(token) && !names.includes(token))) names.push(token);
  }
  return names;
}

/** The value of a parameter, by its position from 1; undefined if it cannot be told. */
export function boundValue(bound: Bound, names: readonly string[], position: number): unknown {
  const name = names[position - 1];
  if (name === undefined) return undefined;
  if (!isList(bound)) return bound[name.slice(1)];
  return names.every((other) => other === "?") ? bound[position - 1] : undefined;
}

function isList(bound: Bound): bound is Extract<Bound, readonly unknown[]> {
  return Array.isArray(bound);
}
