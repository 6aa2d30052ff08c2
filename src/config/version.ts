import { readFileSync } from "node:fs";

/** The version of this package, from its `package.json`. */
export const version: string = readVersion();

function readVersion(): string {
  // The same two folders up from src/config and from dist/config.
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const parsed: unknown = JSON.parse(text);
  const found = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "version") : undefined;
  return typeof found === "string" ? found : "unknown";
}
