/** Which of the words occur in a text, in time that grows with the text and not with the number of words. */
export type WordsInText = (text: string) => ReadonlySet<string>;

type Branch = { readonly next: Map<number, Branch>; word: string | undefined };

/** Words and texts have to be folded by `fold`; a word may be of any script, since it may begin anywhere. */
export function wordsInText(words: Iterable<string>): WordsInText {
  const root: Branch = { next: new Map(), word: undefined };
  for (const word of words) {
    plant(root, word);
  }
  return (text) => {
    const found = new Set<string>();
    if (root.word !== undefined) {
      found.add(root.word);
    }
    for (let start = 0; start < text.length; start += 1) {
      let branch = root.next.get(text.charCodeAt(start));
      for (let at = start + 1; branch !== undefined; at += 1) {
        if (branch.word !== undefined) {
          found.add(branch.word);
        }
        branch = at < text.length ? branch.next.get(text.charCodeAt(at)) : undefined;
      }
    }
    return found;
  };
}

/** Makes texts comparable that differ in letter case, or in how an accent is written. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function plant(root: Branch, word: string): void {
  let branch = root;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    const next = branch.next.get(code) ?? { next: new Map<number, Branch>(), word: undefined };
    branch.next.set(code, next);
    branch = next;
  }
  branch.word = word;
}
