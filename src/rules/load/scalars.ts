import { isScalar, isSeq } from "yaml";
import { nearest } from "../../config/nearest.js";
import { type Place, part, type Reader, read, report, seen, wrong } from "./place.js";

/** What was expected of a word that is none of `words`, what it was instead, and the nearest of them. */
export function noneOf(words: readonly string[], what: string, was: string, meant: string): string {
  const near = nearest(meant, words);
  const guess = near === undefined ? "" : `; did you mean ${near}?`;
  return `expected ${what} (one of ${words.join(", ")}), seen ${was}${guess}`;
}

/** A text with more in it than white space; `wants` says what it is. */
export function text(wants: string): Reader<string> {
  return (place) => {
    const value = scalarIn(place);
    if (typeof value === "string" && value.trim() !== "") {
      return read(value);
    }
    const quotes = typeof value === "number" || typeof value === "boolean" ? "; write it in quotes" : "";
    return report(place, `expected ${wants}, seen ${seen(place.node)}${quotes}`);
  };
}

/** A list with at least one item; every mistake in any item is reported. */
export function texts(wants: string, item: string): Reader<readonly string[]> {
  const itemOf = text(item);
  return (place) => {
    const { node, sheet } = place;
    if (!isSeq(node) || node.items.length === 0) {
      const brackets = isScalar(node) && node.value !== null ? "; write it in [brackets]" : "";
      return report(place, `expected ${wants}, seen ${seen(node)}${brackets}`);
    }
    const items = node.items.map((child, index) =>
      itemOf(part(sheet, child, `${place.path}[${index}]`, place.from)),
    );
    const values = items.flatMap((each) => (each.kind === "read" ? [each.value] : []));
    return values.length === items.length ? read(values) : wrong;
  };
}

/** One text, or a list of them. */
export function textOrTexts(item: string): Reader<readonly string[]> {
  const wants = `${item} or a list of them`;
  const [one, many] = [text(wants), texts(wants, item)];
  return (place) => {
    if (isSeq(place.node)) {
      return many(place);
    }
    const single = one(place);
    return single.kind === "read" ? read([single.value]) : wrong;
  };
}

/** A whole number that is at least `least`. */
export function whole(wants: string, least: number): Reader<number> {
  return (place) => {
    const value = scalarIn(place);
    return typeof value === "number" && Number.isSafeInteger(value) && value >= least
      ? read(value)
      : report(place, `expected ${wants}, seen ${seen(place.node)}`);
  };
}

export const truth: Reader<boolean> = (place) => {
  const value = scalarIn(place);
  return typeof value === "boolean"
    ? read(value)
    : report(place, `expected true or false, seen ${seen(place.node)}`);
};

/** One of these words; `what` names them. */
export function word<const W extends string>(words: readonly W[], what: string): Reader<W> {
  return (place) => {
    const value = scalarIn(place);
    const found = words.find((candidate) => candidate === value);
    const meant = typeof value === "string" ? value : "";
    return found === undefined ? report(place, noneOf(words, what, seen(place.node), meant)) : read(found);
  };
}

function scalarIn({ node }: Place): unknown {
  return isScalar(node) ? node.value : undefined;
}
