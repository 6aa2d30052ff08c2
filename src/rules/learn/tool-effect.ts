import { anyOf, isHan, joined, namesOfActs, tidings, type WordLists } from "./word-lists.js";

/** What a tool does as far as its name tells. */
export type ToolEffect = "read_only" | "destructive" | "changing" | "unknown";

/**
 * A reading word comes first: `get_refund_status` and 查询退款 read, though a destructive word is in them. Only an act that
 * is joined on, as in `check_and_refund`, outweighs it. A namespace such as `orders.` counts where the rest says nothing.
 */
export function toolEffect(lists: WordLists): (tool: string) => ToolEffect {
  const known = new Map<string, ToolEffect>();
  return (tool) => {
    const effect = known.get(tool) ?? effectOfTool(tool, lists);
    known.set(tool, effect);
    return effect;
  };
}

function effectOfTool(tool: string, lists: WordLists): ToolEffect {
  const own = effectOf(joined(tool.split(/__|[.:/]/).at(-1) ?? ""), lists);
  return own === "unknown" ? effectOf(joined(tool), lists) : own;
}

function effectOf(name: string, lists: WordLists): ToolEffect {
  const joinedOn = /_(?:and|then)_(.*)$|(?<!合)并(.*)$/u.exec(name);
  const rest = joinedOn?.[1] ?? joinedOn?.[2];
  if (rest !== undefined) {
    const effect = effectOf(rest, lists);
    if (effect === "destructive" || effect === "changing") {
      return effect;
    }
  }
  const [reads, destroys, changes] = [
    firstOf(name, lists.reading),
    firstOf(name, lists.destructive),
    firstOf(name, lists.changing),
  ];
  const acts = Math.min(destroys, changes);
  if (
    reads < Number.POSITIVE_INFINITY &&
    (reads <= acts || readsInHan(name, lists) || endsReading(name, lists))
  ) {
    return "read_only";
  }
  if (tellsOf(name, acts)) {
    return "read_only";
  }
  // `issue_refund`: the worse of two words counts.
  return destroys < Number.POSITIVE_INFINITY
    ? "destructive"
    : changes < Number.POSITIVE_INFINITY
      ? "changing"
      : "unknown";
}

/** Chinese puts the verb before or behind: 查询退款, 退款查询. */
function readsInHan(name: string, lists: WordLists): boolean {
  return lists.reading.some((word) => isHan(word) && name.includes(word));
}

/** `refund_lookup`: behind an act only a verb that is no plain noun as well. */
function endsReading(name: string, lists: WordLists): boolean {
  return new RegExp(`^(?:${anyOf(namesOfActs)})s?_(?:${anyOf(lists.reading)})$`, "u").test(name);
}

/** `refund_status` tells of refunds; `cancel_status` and `update_status` do not. */
function tellsOf(name: string, acts: number): boolean {
  if (!new RegExp(`(?:${anyOf(tidings)})$`, "u").test(name)) {
    return false;
  }
  return (
    acts === Number.POSITIVE_INFINITY || new RegExp(`^(?:${anyOf(namesOfActs)})`, "u").test(name.slice(acts))
  );
}

/** Where the first of the words stands: Chinese anywhere, others as whole parts of the name. */
function firstOf(name: string, words: readonly string[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const index = isHan(word) ? name.indexOf(word) : `_${name}_`.indexOf(`_${word}_`);
    if (index >= 0) {
      first = Math.min(first, index);
    }
  }
  return first;
}
