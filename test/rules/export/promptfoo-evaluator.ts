import { parse } from "yaml";
import { z } from "zod";
import type { TracedCall } from "../../../src/rules/trace.js";

/**
 * What promptfoo 0.123 documents and does with trajectory assertions, over the calls of one conversation
 * (`src/assertions/trajectory.ts`, `trajectoryUtils.ts`, `traceUtils.ts`). Written for these tests.
 */
const stepType = z.enum(["tool", "command", "span"]);
const matcher = z.strictObject({
  name: z.string().optional(),
  pattern: z.string().optional(),
  type: z.union([stepType, z.array(stepType)]).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});
const used = z.union([z.string(), z.array(z.string()), matcher]);
const assertion = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("trajectory:tool-used"), value: used, weight: z.number().optional() }),
  z.strictObject({ type: z.literal("not-trajectory:tool-used"), value: used, weight: z.number().optional() }),
  z.strictObject({ type: z.literal("trajectory:step-count"), value: matcher, weight: z.number().optional() }),
]);
const test = z.strictObject({
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  assert: z.array(assertion),
});
const config = z.strictObject({
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  prompts: z.array(z.string()).min(1),
  providers: z.array(z.string()).min(1),
  tracing: z.unknown(),
  tests: z.array(test),
});

type Assertion = z.infer<typeof assertion>;
type Matcher = z.infer<typeof matcher>;
type Step = { readonly type: z.infer<typeof stepType>; readonly aliases: readonly string[] };

/** Reads a configuration; a key that these tests do not know, such as `vars`, is an error. */
export function readPromptfoo(text: string): z.infer<typeof config> {
  return config.parse(parse(text));
}

/** The descriptions of the tests that fail on a conversation with these calls. */
export function failingTests(text: string, calls: readonly TracedCall[]): readonly string[] {
  const steps = calls.map(step);
  return readPromptfoo(text)
    .tests.filter(({ assert }) => !assert.every((each) => each.weight === 0 || passes(each, steps)))
    .map(({ description }) => description);
}

export function passes(each: Assertion, steps: readonly Step[]): boolean {
  switch (each.type) {
    case "trajectory:tool-used":
      return toolUsed(each.value, steps, false);
    case "not-trajectory:tool-used":
      return toolUsed(each.value, steps, true);
    case "trajectory:step-count": {
      const { min, max } = each.value;
      if (min === undefined && max === undefined) {
        throw new Error("trajectory:step-count must include a min or max");
      }
      return within(count(each.value, steps), min ?? 0, max);
    }
  }
}

function toolUsed(value: z.infer<typeof used>, steps: readonly Step[], inverse: boolean): boolean {
  if (typeof value === "string" || Array.isArray(value)) {
    const patterns = typeof value === "string" ? [value] : value;
    const seen = patterns.filter((pattern) => count({ pattern, type: "tool" }, steps) > 0);
    return inverse ? seen.length === 0 : seen.length === patterns.length;
  }
  // The trap: `min` is 1 unless given, and the inverse only turns the whole answer round.
  const inRange = within(count({ type: "tool", ...value }, steps), value.min ?? 1, value.max);
  return inRange !== inverse;
}

function within(found: number, min: number, max: number | undefined): boolean {
  return found >= min && (max === undefined || found <= max);
}

function count({ type, pattern, name }: Matcher, steps: readonly Step[]): number {
  const types = type === undefined ? undefined : [type].flat();
  const wanted = pattern ?? name;
  return steps.filter(
    (each) =>
      (types === undefined || types.includes(each.type)) &&
      (wanted === undefined || wanted === "" || each.aliases.some((alias) => matches(alias, wanted))),
  ).length;
}

/** `*` is any text, `?` any one character, letter case does not count. */
function matches(alias: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "i").test(alias);
}

/** A call as a span of its own: named tools are steps of type tool, shell tools with a command of type command. */
export function step({ tool, arguments: known }: TracedCall): Step {
  const name = tool?.trim() ?? "";
  if (name === "") {
    return { type: "span", aliases: ["execute_tool"] };
  }
  const spanName = `execute_tool ${name}`;
  const command = known.kind === "known" ? (known.value.cmd ?? known.value.command) : undefined;
  if (["exec_command", "local_shell", "shell"].includes(name.toLowerCase()) && typeof command === "string") {
    const [executable = command] = command.trim().split(/\s+/);
    return { type: "command", aliases: [spanName, command, name, executable] };
  }
  return { type: "tool", aliases: [spanName, name] };
}
