/** Text that a terminal shows as it is: control and direction characters, which could rewrite the screen, are spelled out. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const short = shortEscapes.get(character);
    return short ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

// Controls, lone surrogates, zero-width and direction characters, line and paragraph separators.
const unprintable = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Printable text of at most `width` characters; the end of a longer one is cut off visibly. */
export function clipped(text: string, width: number): string {
  const characters = Array.from(printable(text));
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}

/** Lines of at most `width` characters, broken between words where that is possible. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((word) => pieces(word, width))) {
    if (line !== "" && length(line) + 1 + length(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Padded with spaces to `width` characters. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - length(text)));
}

/** Characters as a terminal counts them, for text without colour. */
export function length(text: string): number {
  return Array.from(text).length;
}

/** `1 run`, `2 runs`, `20,000 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `20,000`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A word longer than the line, such as JSON, is cut where the line ends. */
function pieces(word: string, width: number): readonly string[] {
  const characters = Array.from(word);
  if (characters.length <= width) return [word];
  const count = Math.ceil(characters.length / width);
  return Array.from({ length: count }, (_, at) => characters.slice(at * width, (at + 1) * width).join(""));
}
