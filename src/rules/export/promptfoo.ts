import type { Json } from "../../model/vocabulary.js";
import type { Assertion, Rule } from "../rule.js";
import {
  type Export,
  exported,
  isConditional,
  lostCondition,
  quoted,
  type Remark,
  type Untranslated,
} from "./exported.js";
import { promptfooNameRefusal, toolsNamed } from "./promptfoo-names.js";

/**
 * The rules as a promptfoo configuration, one test a rule, for traces that a provider of the user replays. A rule under
 * `when` becomes a test that always applies, and every place that tells of losses says so.
 */
export function exportPromptfoo(rules: readonly Rule[]): Export {
  const names = toolsNamed(rules);
  const translations = rules.map((rule) => translation(rule, names));
  const kept = translations.filter(({ assertions }) => assertions.length > 0);
  const untranslated = translations.flatMap((each) => each.untranslated);
  return exported({
    head: kept.length === 0 ? [...head, "No rule could be translated: THIS FILE CHECKS NOTHING."] : head,
    body: {
      description: "Rules exported by commitpoint",
      metadata: { commitpoint_untranslated: untranslated },
      prompts: ["placeholder: a provider that replays traces reads no prompt"],
      providers: ["file://REPLACE-with-a-provider-that-replays-your-traces.mjs"],
      tracing: { enabled: true, otlp: { http: { enabled: true } } },
      tests: kept.map(test),
    },
    remarks: [
      { at: ["providers", 0], text: "Placeholder: put your own provider here." },
      ...kept.flatMap(conditionRemark),
    ],
    untranslated,
  });
}

const head: readonly string[] = [
  "Rules exported by commitpoint for promptfoo, as trajectory assertions. Change the rules, not this file.",
  "`providers` and `prompts` are placeholders: the provider has to replay a trace and report its calls as spans.",
  "Without a trace promptfoo stops with an error; a trace without spans passes whatever says `not` or `max`.",
  "promptfoo ignores letter case in tool names and does not count a call whose tool has no name.",
  "An assertion of `weight: 0` belongs to a rule of severity info: it is evaluated and never fails.",
];

type Translation = {
  readonly rule: Rule;
  readonly assertions: readonly { readonly [name: string]: Json }[];
  readonly untranslated: readonly Untranslated[];
};

/** A rule has one part for each tool that it names, so that one bad name does not take the others with it. */
type Part =
  | { readonly kind: "translated"; readonly assertion: { readonly type: string; readonly value: Json } }
  | { readonly kind: "untranslated"; readonly reason: string };

function translation(rule: Rule, names: ReadonlySet<string>): Translation {
  if (!rule.where.ci) {
    const reason = "the rule is not for CI, and promptfoo runs there";
    return { rule, assertions: [], untranslated: [{ rule: rule.name, assertion: "where", reason }] };
  }
  const weight = rule.severity === "info" ? { weight: 0 } : {};
  const assertions: { readonly [name: string]: Json }[] = [];
  const untranslated: Untranslated[] = [];
  for (const assertion of rule.then) {
    for (const part of parts(assertion, names)) {
      if (part.kind === "translated") {
        assertions.push({ ...part.assertion, ...weight });
      } else {
        untranslated.push({ rule: rule.name, assertion: assertion.kind, reason: part.reason });
      }
    }
  }
  if (assertions.length > 0 && isConditional(rule)) {
    untranslated.push({ rule: rule.name, assertion: "when", reason: lostWhen });
  }
  return { rule, assertions, untranslated };
}

const lostWhen =
  "promptfoo has no condition on what the user said or on the turn; the exported assertions ALWAYS apply, which is stricter than the rule";

function parts(assertion: Assertion, names: ReadonlySet<string>): readonly Part[] {
  switch (assertion.kind) {
    case "forbid_tool":
      // Only the text form: the object form with `max: 0` also wants at least one match, and its inverse always passes.
      return onePerTool(assertion.tools, "not-trajectory:tool-used", names);
    case "require_tool":
      return onePerTool(assertion.tools, "trajectory:tool-used", names);
    case "max_tool_calls": {
      // Calls of shell tools are steps of type `command`.
      const value = { type: ["tool", "command"], max: assertion.most };
      return [{ kind: "translated", assertion: { type: "trajectory:step-count", value } }];
    }
    case "allow_tool":
      return [{ kind: "untranslated", reason: "promptfoo has no closed list of tools" }];
    case "idempotent":
      return [{ kind: "untranslated", reason: "promptfoo does not compare the arguments of two calls" }];
    case "memory_persistence":
      return [{ kind: "untranslated", reason: "promptfoo has no assertion about a single turn" }];
  }
}

function onePerTool(tools: readonly string[], type: string, names: ReadonlySet<string>): readonly Part[] {
  return [...new Set(tools)].map((tool): Part => {
    const reason = promptfooNameRefusal(tool, names);
    return reason === undefined
      ? { kind: "translated", assertion: { type, value: tool } }
      : { kind: "untranslated", reason };
  });
}

function test({ rule, assertions }: Translation): Json {
  const about = rule.description === "" ? "" : `: ${rule.description}`;
  return {
    description: `commitpoint rule ${rule.name}${about}`,
    ...(isConditional(rule) ? { metadata: { commitpoint_when: lostCondition(rule) } } : {}),
    assert: assertions,
  };
}

function conditionRemark({ rule }: Translation, index: number): readonly Remark[] {
  return isConditional(rule)
    ? [
        {
          at: ["tests", index],
          text: `WARNING: the condition of rule ${quoted(rule.name)} is lost. This test ALWAYS applies.`,
        },
      ]
    : [];
}
