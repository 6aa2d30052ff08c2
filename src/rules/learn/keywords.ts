import { stopWords } from "./stop-words.js";
import { anyOf, isHan, type WordLists } from "./word-lists.js";

const mostWords = 5;

/**
 * Up to five words of what a user said that may occur again, in the order of the text, lower case: no stop words, numbers
 * or ids, and none that contains a destructive word or is contained in one, for a rule under it would meet the very users
 * who ask for the act. The same version of Node gives the same words for the same text.
 */
export function keywords(lists: WordLists): (text: string) => readonly string[] {
  const acts = [...lists.destructive, ...lists.changing];
  const hanActs = new RegExp(anyOf(acts.filter(isHan)), "u");
  return (text) => {
    const found = new Set<string>();
    for (const [token] of text.normalize("NFC").toLowerCase().matchAll(tokens)) {
      for (const word of isHan(token) ? hanWords(token, hanActs) : spacedWords(token)) {
        if (!touchesAct(word, acts)) {
          found.add(word);
        }
      }
    }
    return [...found].slice(0, mostWords);
  };
}

/** Addresses whole; runs of Han; words of other scripts together with any digits in them. */
const tokens =
  /(?:https?:\/\/|www\.)[^\s\p{Script=Han}]+|[\w.+-]+@[\w.-]+|\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_'’])+/gu;

function spacedWords(token: string): readonly string[] {
  const word = token.replaceAll("’", "'").replace(/^'+|'s$|'+$/g, "");
  // Digits, underscores and addresses are names of single things.
  const isWord = /^[\p{L}\p{M}']{3,24}$/u.test(word);
  return isWord && !stopWords.has(word) && !stopWords.has(token) ? [word] : [];
}

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Chinese has no gaps between words: it is cut at acts, then into dictionary words, whose stop words cut once more. */
function hanWords(run: string, acts: RegExp): readonly string[] {
  return run.split(acts).flatMap((piece) => {
    const words: string[] = [];
    // Single characters that the dictionary could not place belong together: 余 额.
    let loose = "";
    for (const { segment } of segmenter.segment(piece)) {
      const word = withoutStops(segment);
      if (word.length === 1 && word === segment) {
        loose += word;
        continue;
      }
      words.push(loose, word);
      loose = "";
    }
    return [...words, loose].filter((word) => word.length >= 2 && word.length <= 8);
  });
}

/** Empty for a word made of stop words alone, such as 我看. */
function withoutStops(word: string): string {
  if (word.length === 0 || stopWords.has(word)) {
    return "";
  }
  const first = word.slice(0, 1);
  // A word of two characters is no longer that word without one: 对账, 下午.
  if (word.length > 2 && stopWords.has(first)) {
    return withoutStops(word.slice(1));
  }
  return [...word].every((character) => stopWords.has(character)) ? "" : word;
}

function touchesAct(word: string, acts: readonly string[]): boolean {
  return acts.some((act) => word.includes(act) || act.includes(word));
}
