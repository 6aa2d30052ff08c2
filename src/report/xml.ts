/** Text for an XML attribute or element: marked characters escaped, and what XML 1.0 cannot hold spelled out as `\u{1b}`. */
export function xmlText(text: string): string {
  return text
    .replace(forbidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/[&<>"'\n\r\t]/g, (character) => entities.get(character) ?? character);
}

// Controls but for tab and line ends, lone surrogates, and the two code points that are no characters.
const forbidden = /[^\P{Cc}\t\n\r]|[\p{Cs}\ufffe\uffff]/gu;

/** Line ends and tabs in an attribute would otherwise be read as spaces. */
const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
  ["\n", "&#10;"],
  ["\r", "&#13;"],
  ["\t", "&#9;"],
]);
