// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Json } from "../../../src/model/vocabulary.js";
import type { Guard } from "../../../src/rules/guard/guard.js";
import { ToolBlocked } from "../../../src/rules/guard/tool-blocked.js";
import { once, rule } from "../rule-fixture.js";

/** No card is charged twice for one order. */
export const chargeOnce = rule("charge-once", [once("charge_card", "${order_id}")]);
export const order: Readonly<Record<string, Json>> = { order_id: "A1" };
export const orderKey = JSON.stringify(["charge_card", "${order_id}", ["A1"]]);

/** Each execution appends one line, which also counts across processes. */
export async function charge(effects: string): Promise<string> {
  // Without a wait in it the first of several calls would be over before the second begins.
  await new Promise((resolve) => setImmediate(resolve));
  appendFileSync(effects, `${process.pid}\n`);
  return "charged";
}

export function effectsIn(file: string): number {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

/** So many charges of one order at the same moment, each in a conversation of its own: how many ended in which way. */
export async function chargeAtOnce(
  guard: Guard,
  times: number,
  run: () => Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  const ends = await Promise.all(
    Array.from({ length: times }, () =>
      guard.execute("charge_card", order, run, { history: [] }).then(() => "ran", howBlocked),
    ),
  );
  const counts: Record<string, number> = {};
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  return counts;
}

/** The code of a refusal; whatever else was thrown is thrown on. */
export function howBlocked(error: unknown): string {
  if (error instanceof ToolBlocked) {
    return error.code;
  }
  throw error;
}
