// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys

import { describe, expect, it } from "vitest";
import type { Json } from "../../src/model/vocabulary.js";
import { keysOf } from "../../src/rules/session.js";
import { ask, begin, call } from "./asking.js";
import { intent, once, rule } from "./rule-fixture.js";

describe("a ledger key", () => {
  const rules = [rule("r", [once("t", "${a}-${b}")])];
  const keys = (given: Readonly<Record<string, Json>>, of = rules) => keysOf(begin(of), call("t", given));

  it("is the JSON of tool, template and values, so that a dash within a value makes no other key's twin", () => {
    expect(keys({ a: "x-y", b: "z" })).toEqual(['["t","${a}-${b}",["x-y","z"]]']);
    expect(keys({ a: "x", b: "y-z" })).toEqual(['["t","${a}-${b}",["x","y-z"]]']);
  });

  it("takes a number and a truth value as JSON writes them, and so like the text of it", () => {
    expect(keys({ a: 1, b: true })).toEqual(keys({ a: "1", b: "true" }));
    expect(keys({ a: 1.5, b: -0 })).toEqual(keys({ a: "1.5", b: "0" }));
  });

  it.each([
    ["null", null],
    ["a list", ["x"]],
    ["an object", { x: 1 }],
    ["no number", Number.NaN],
    ["an endless number", Number.POSITIVE_INFINITY],
  ])("cannot be made of %s", (_name, value) => {
    expect(keys({ a: value, b: "z" })).toEqual([]);
    expect(ask(rules, call("t", { a: value, b: "z" }))).toEqual(["no_key r"]);
  });

  it("cannot be made of what every object inherits", () => {
    expect(ask([rule("r", [once("t", "${constructor}")])], call("t"))).toEqual(["no_key r"]);
  });

  it("cannot be made of an argument that stands in a prototype", () => {
    expect(keys(Object.create({ a: "x", b: "y" }))).toEqual([]);
  });

  it("comes in the order of its text, whatever the order of rules", () => {
    const reversed = [rule("one", [once("t", "b ${a}")]), rule("two", [once("t", "a ${a}")])];
    expect(keys({ a: 1 }, reversed)).toEqual(['["t","a ${a}",["1"]]', '["t","b ${a}",["1"]]']);
  });

  it("may be made of an empty text", () => {
    expect(keys({ a: "", b: "" })).toEqual(['["t","${a}-${b}",["",""]]']);
  });

  it("is reserved once for a tool and a template, whatever rules ask for it, and only while one of them is on", () => {
    const both = [
      rule("one", [once("t", "${a}")]),
      rule("two", [once("t", "${a}")]),
      rule("other", [once("t", "order ${a}")], intent("order")),
      rule("else", [once("u", "${a}")]),
    ];
    const session = begin(both);
    session.user("hello");
    expect(keysOf(session, call("t", { a: 1 }))).toEqual(['["t","${a}",["1"]]']);
    session.user("my order");
    expect(keysOf(session, call("t", { a: 1 }))).toEqual(['["t","${a}",["1"]]', '["t","order ${a}",["1"]]']);
    expect(keysOf(session, call(undefined, { a: 1 }))).toEqual([]);
  });
});
