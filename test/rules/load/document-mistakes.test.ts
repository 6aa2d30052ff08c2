import { describe, expect, it } from "vitest";
import { lines, mistakesIn } from "./rule-text.js";

const rule = "a rule like { rule: no-refund, then: { forbid_tool: refund_order } }";

describe("mistakes in a document", () => {
  it.each([
    ["", "1:1: expected a rule, seen a file with nothing in it"],
    ["# to be written\n", "1:1: expected a rule, seen a file with nothing in it"],
    ["---\n", "1:1: expected a rule, seen a document with nothing in it"],
    ["null\n", "1:1: expected a rule, seen a document with nothing in it"],
    ["refund\n", `1:1: expected ${rule}, seen "refund"`],
    [
      "- rule: a\n- rule: b\n",
      "1:1: expected one rule, seen a list of 2; write each as a document, with --- between them",
    ],
    // The second document begins with the line of its three hyphens.
    ["rule: a\nthen: { forbid_tool: t }\n---\n", "3:1: expected a rule, seen a document with nothing in it"],
    ["rule: a\u0000\n", "1:8: expected text, seen the control character U+0000"],
    [`${"[".repeat(101)}\n`, "1:101: expected at most 100 levels, seen more"],
    // A hyphen and a space for each level: the 101st hyphen is in column 201.
    [`${"- ".repeat(101)}x\n`, "1:201: expected at most 100 levels, seen more"],
  ])("reports %j", (text, mistake) => {
    expect(mistakesIn(text)).toEqual([mistake]);
  });

  it("does not take many items beside each other for levels", () => {
    const items = Array.from({ length: 200 }, (_, index) => `  - t${index}`);
    expect(mistakesIn(lines("rule: r", "then:", "  forbid_tool:", ...items))).toEqual([]);
  });

  it("tells brackets in texts from brackets that nest", () => {
    const brackets = "[".repeat(200);
    const text = lines("rule: r", `description: "${brackets}"`, "then: { forbid_tool: t }", `# ${brackets}`);
    expect(mistakesIn(text)).toEqual([]);
  });

  it("reports each mistake against YAML where it is, and goes on with the next document", () => {
    const text = lines(
      "rule: a", // 1: plain text that seems to go on
      "  then: b", // 2: with a key within it
      "---", // 3
      "rule: b", // 4
      "then: { forbid_tool: t", // 5: no bracket closes it before the document ends
      "---", // 6
      "rule: c", // 7
      "then: {}", // 8
    );
    const seen = mistakesIn(text);
    const yaml = seen.filter((mistake) => mistake.includes("expected YAML 1.2"));
    const where = new Set(yaml.map((mistake) => mistake.split(":")[0]));
    // The text begins in line 1; that a bracket is missing is known where the next document begins.
    expect([...where]).toEqual(["1", "6"]);
    expect(seen.length).toBe(yaml.length + 1);
    expect(seen.at(-1)).toMatch(/^8:7: then: expected at least one assertion/);
  });

  it("reports a tag that YAML does not know", () => {
    expect(mistakesIn("rule: !secret a\nthen: { forbid_tool: t }\n")).toEqual([
      "1:7: expected YAML 1.2, seen a mistake in it: Unresolved tag: !secret",
    ]);
  });
});
