import type { RuleClaim, RuleWord } from "./vocabulary.js";
import type { World } from "./world.js";

/** What the rules claim that the conversation has switched on so far. What it says later takes none of them back. */
export function activeClaims({ rules, turns }: Pick<World, "rules" | "turns">): readonly RuleClaim[] {
  return rules.filter((rule) => isActive(rule, turns)).map(({ claim }) => claim);
}

function isActive({ saidAny, fromTurn }: RuleWord, turns: readonly string[]): boolean {
  if (turns.length < fromTurn) return false;
  // Each text alone: a word that begins in one turn and ends in the next was never said.
  return saidAny.length === 0 || turns.some((text) => saidAny.some((word) => mentions(text, word)));
}

function mentions(text: string, word: string): boolean {
  return folded(text).includes(folded(word));
}

/** The same letters, however they are written and in whatever case. */
function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
