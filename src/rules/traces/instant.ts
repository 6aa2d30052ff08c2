import { itemsOf } from "./json-fields.js";
import type { Positioned } from "./positioned-json.js";

/**
 * A point in time in nanoseconds since 1970, or undefined where the value is none: ISO 8601 text (UTC where it names
 * no zone), digits, a number in seconds, milliseconds, microseconds or nanoseconds by its size, or a pair of seconds
 * and nanoseconds.
 */
export function instant(value: Positioned | undefined): bigint | undefined {
  switch (value?.kind) {
    case "text":
      return /^\d+$/.test(value.value) ? scaled(BigInt(value.value)) : isoInstant(value.value);
    case "number":
      return Number.isFinite(value.value) ? scaledNumber(value.value) : undefined;
    case "list": {
      const [seconds, nanoseconds] = itemsOf(value);
      return seconds?.kind === "number" && nanoseconds?.kind === "number"
        ? BigInt(Math.trunc(seconds.value)) * 1_000_000_000n + BigInt(Math.trunc(nanoseconds.value))
        : undefined;
    }
    default:
      return undefined;
  }
}

const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d+))?\s*(Z|[+-]\d\d:?\d\d)?$/;
const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d*)Z/;

/** LangSmith's dotted order writes times without separators, the fraction joined to the seconds. */
function isoInstant(text: string): bigint | undefined {
  const spread = text.replace(compact, "$1-$2-$3T$4:$5:$6.$7Z").replace(".Z", "Z");
  const match = iso.exec(spread.match(/^.*?Z/)?.[0] ?? spread);
  if (match === null) {
    return undefined;
  }
  const [, day, time, fraction = "", zone = "Z"] = match;
  const milliseconds = Date.parse(`${day}T${time}${zone}`);
  if (Number.isNaN(milliseconds)) {
    return undefined;
  }
  // Date knows milliseconds only, and spans of one batch often differ by less.
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, "0"));
}

function scaled(count: bigint): bigint {
  if (count > 100_000_000_000_000_000n) {
    return count;
  }
  if (count > 100_000_000_000_000n) {
    return count * 1_000n;
  }
  return count > 100_000_000_000n ? count * 1_000_000n : count * 1_000_000_000n;
}

function scaledNumber(count: number): bigint {
  // A count of seconds may have a fraction; the larger units are whole.
  return count > 100_000_000_000 ? scaled(BigInt(Math.trunc(count))) : BigInt(Math.round(count * 1e9));
}
