import { distance } from "fastest-levenshtein";

/**
 * The candidate that was most likely meant by a misspelt word, or `undefined` if none is near. Letter case and `-` for
 * `_` do not count; up to a third of the letters may be wrong, one in a short word; the first of equals wins.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const meant = plain(word);
  const limit = Math.max(1, Math.ceil(meant.length / 3));
  let best: { readonly candidate: string; readonly away: number } | undefined;
  for (const candidate of candidates) {
    const away = distance(meant, plain(candidate));
    if (away <= limit && away < (best?.away ?? Number.POSITIVE_INFINITY)) {
      best = { candidate, away };
    }
  }
  return best?.candidate ?? onlyCompletion(meant, candidates);
}

/** `commit` means `commit_refused` where nothing else begins like that. */
function onlyCompletion(meant: string, candidates: readonly string[]): string | undefined {
  const completions = candidates.filter(
    (candidate) => meant.length >= 3 && plain(candidate).startsWith(meant),
  );
  return completions.length === 1 ? completions[0] : undefined;
}

function plain(word: string): string {
  return word.trim().toLowerCase().replaceAll("-", "_");
}
