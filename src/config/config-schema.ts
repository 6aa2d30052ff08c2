import { z } from "zod";
import type { ToolContract } from "../contract/tool.js";
import { abilities, checkpoints, crashPoints, faultKinds, stages } from "../model/vocabulary.js";
import { promiseIds } from "../properties/verdict.js";
import { largestSeed, largestWorkers } from "./defaults.js";
import type { ExecutorEntry } from "./executors.js";

const profileSchema = z.strictObject({
  name: z.string().min(1),
  layers: z.array(z.enum(stages)),
  checkpoints: z.array(z.enum(checkpoints)),
  crashPoints: z.array(z.enum(crashPoints)),
  faults: z.array(z.enum(faultKinds)),
  abilities: z.array(z.enum(abilities)),
});

const contractSchema = z.custom<ToolContract>(isContract, {
  error: "expected a tool contract: an object with name, effect, interpret, accepts, canaries and requests",
});

const openSchema = z.custom<ExecutorEntry["open"]>((value) => typeof value === "function", {
  error: "expected a function that opens the executor",
});

/** The shape of a configuration; unknown keys are refused. Executors may carry more than is read here. */
export const configSchema = z.strictObject({
  executors: z
    .record(
      z
        .string()
        .regex(/^[a-zA-Z0-9][a-zA-Z0-9._/-]*$/, "an executor's name has letters, digits and . _ / - only"),
      z.looseObject({ contract: contractSchema, open: openSchema, profile: profileSchema }),
    )
    .optional(),
  runs: z.int().min(1).optional(),
  seed: z.union([z.int().min(0).max(largestSeed), z.literal("random")], seedError()).optional(),
  maxActions: z.int().min(1).optional(),
  workers: z.int().min(1).max(largestWorkers).optional(),
  allowVacuous: z.array(z.enum(promiseIds)).optional(),
  outputDir: z.string().min(1).optional(),
  promises: z.array(z.enum(promiseIds)).min(1).optional(),
});

/** Every key that a configuration, and a profile in it, can have. */
export const configKeys: readonly string[] = Object.keys(configSchema.shape);
export const profileKeys: readonly string[] = Object.keys(profileSchema.shape);

function isContract(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const functions = ["interpret", "accepts", "canaries"];
  return (
    typeof Reflect.get(value, "name") === "string" &&
    ["read", "write", "external"].includes(String(Reflect.get(value, "effect"))) &&
    functions.every((name) => typeof Reflect.get(value, name) === "function") &&
    typeof Reflect.get(value, "requests") === "object"
  );
}

function seedError(): { error: string } {
  return { error: `expected a whole number from 0 to ${largestSeed}, or "random"` };
}
