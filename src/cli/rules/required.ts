import { UsageError } from "../../config/usage-error.js";

/**
 * The value of an option that a verb cannot do without. Asked for after parsing, so that a misspelt option is told of
 * first. @throws UsageError
 */
export function required<Value>(value: Value | undefined, option: string, verb: string): Value {
  if (value !== undefined) return value;
  const place = `commitpoint rules ${verb}`;
  throw new UsageError({
    message: `required option '${option}' not specified`,
    place,
    nextStep: `See ${place} --help.`,
  });
}
