import { refusal, type WorkspaceCode, type WorkspaceRefusal } from "./workspace-refusals.js";

/** The names on the way, and the last one: each is exactly one entry of one folder. */
export type WorkspacePath = {
  readonly kind: "path";
  readonly folders: readonly string[];
  readonly leaf: string;
};

/**
 * Splits a path of `/`-separated names, or refuses it. One accepted text is one place, and two accepted texts are
 * two: no step, no empty name, nothing that another program trims, unquotes or normalises away.
 *
 * What remains: letters of different scripts that look alike (Latin and Cyrillic "a") are different names here.
 */
export function workspacePath(text: string): WorkspacePath | WorkspaceRefusal {
  if (text === "") return refusal("path_empty");
  if (text.startsWith("/")) return refusal("path_absolute");
  if (Buffer.byteLength(text) > mostPathBytes) return refusal("path_too_long");
  const names = text.split("/");
  for (const name of names) {
    const code = faultOf(name);
    if (code !== undefined) return refusal(code);
  }
  return { kind: "path", folders: names.slice(0, -1), leaf: names.at(-1) ?? "" };
}

/** So that the way back up, of three bytes a step, fits into one call of the system (PATH_MAX, 4,096). */
const mostPathBytes = 1024;
/** NAME_MAX. */
const mostNameBytes = 255;

function faultOf(name: string): WorkspaceCode | undefined {
  if (name === "") return "name_empty";
  if (name === "." || name === "..") return "path_steps";
  if (forbidden.test(name)) return "name_characters";
  if (name.normalize("NFKC") !== name) return "name_not_canonical";
  if (edges.test(name)) return "name_edge";
  return Buffer.byteLength(name) > mostNameBytes ? "name_too_long" : undefined;
}

/**
 * Control, format, private, unassigned and lone halves (\p{C}: Node would write any lone half as U+FFFD, so two
 * names would be one file), what is drawn as nothing, and the backslash, which separates names elsewhere. Spaces
 * other than the plain one come next, of which not all change under NFKC.
 */
const forbidden = /[\p{C}\p{Default_Ignorable_Code_Point}\\]|(?! )\p{Z}/u;

/** Shells and parsers unquote, people and programs trim, and Windows drops a trailing dot. */
const edges = /^[ \p{Pi}\p{Pf}"'`]|[ \p{Pi}\p{Pf}"'`.]$/u;
