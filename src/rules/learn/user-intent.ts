import { anyOf, isHan, namesOfActs, tidings, type WordLists } from "./word-lists.js";

/** What the words of one turn show: a wish to know, a wish that something be done, or neither. */
export type UserIntent = "reads" | "acts" | "neither";

/** Judges the text of one turn; a named act counts as asked for unless it is negated or only asked about. */
export type IntentReader = (text: string) => UserIntent;

export function intentReader(lists: WordLists): IntentReader {
  const english = lists.destructive.filter((word) => !isHan(word));
  const acts = `(?:${anyOf(lists.destructive.filter(isHan))}|(?<!\\p{L})(?:${anyOf(english)})${endings}(?!\\p{L}))`;
  const named = `(?:${anyOf(namesOfActs)})`;
  const notAsked = new RegExp(
    [
      `(?:不要|不用|不需要|无需|别|没有|没|不想|不)(?:给我|帮我|再|要|会)?${acts}`,
      `(?:don['’]?t|do not|never|without|not|no)\\s+(?:\\p{L}+\\s+){0,2}?${acts}`,
      `${named}(?:的|单)?(?:${anyOf(tidings)}|到哪|到账|什么时候)`,
      `(?:where(?:['’]s| is)|status of|when will|when is)\\s+(?:my|the|our|a)\\s+${named}`,
    ].join("|"),
    "gu",
  );
  const asked = new RegExp(acts, "u");
  return (text) => {
    const plain = text.normalize("NFC").toLowerCase();
    if (asked.test(plain.replace(notAsked, " ? "))) {
      return "acts";
    }
    return asksToKnow.test(plain) ? "reads" : "neither";
  };
}

const endings = "(?:s|d|ed|led|ing|ling|ment|ments|al|als|ation|lation|able)?";

/** Words of a question or of a wish to see something. */
const asksToKnow =
  /(?<!\p{L})(?:where|when|what|which|status|track|tracking|check|look|show|see|view|find|list|tell me|how (?:much|many|long|far)|any (?:news|update)|details?|info|information)(?!\p{L})|查|看看|看下|看一下|看一看|问下|问一下|想问|想知道|了解|哪|多少|几点|几时|什么时候|啥时候|怎么样|如何|状态|进度|到了吗|到了没|还没到|还没收到/u;
