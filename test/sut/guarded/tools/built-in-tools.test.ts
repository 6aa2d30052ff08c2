import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { guardedTools } from "../../../../src/contract/guarded/tools.js";
import { guardedStages } from "../../../../src/sut/guarded/stages.js";
import { builtInTools } from "../../../../src/sut/guarded/tools/built-in-tools.js";
import {
  notifyOver,
  openNotificationService,
} from "../../../../src/sut/guarded/tools/notification-service.js";
import { createRegistry, isIdempotent } from "../../../../src/sut/guarded/tools/registry.js";
import { workspaceWriter } from "../../../../src/sut/guarded/tools/workspace-writer.js";
import {
  decide,
  endingOf,
  finish,
  lastObservation,
  note,
  openGuardedBench,
  retry,
  submit,
} from "../guarded-run.js";

const tools = builtInTools({ notify: async () => {}, writeFile: () => {} });

describe("a tool and its contract, which were written apart", () => {
  it.each(guardedTools.map((contract) => [contract.name, contract] as const))(
    "agree on 2,000 requests of %s",
    (name, contract) => {
      const tool = createRegistry(tools).find(name);
      if (tool === undefined) throw new Error(`${name} is not registered`);
      for (let pick = 0; pick < 2000; pick++) {
        const request =
          pick % 2 === 0 ? contract.requests.valid(pick % 3, pick) : contract.requests.invalid(pick);
        const facts = contract.interpret(request);
        let raw: unknown;
        try {
          raw = JSON.parse(request);
        } catch {
          raw = undefined;
        }
        const read = tool.readArguments(raw);
        if (facts.kind === "invalid" || read.kind === "invalid") {
          expect({ request, ...facts }).toMatchObject({ kind: read.kind, request });
          if (read.kind === "invalid") expect(facts).toMatchObject({ code: read.code });
          continue;
        }
        const { args } = read;
        expect(facts).toEqual({
          kind: "valid",
          key: tool.key(args),
          digest: guardedStages.digest(args),
          weight: tool.weight(args),
          tool: { effect: tool.effect, role: tool.role, resource: tool.resource(args) },
        });
        expect(contract.accepts(tool.result(args), request)).toBe(true);
      }
    },
  );

  it.each([
    ["INC-0011", "incident"],
    ["INC-001\n", "incident"],
    ["ＩＮＣ-001", "incident"],
  ])("refuse the incident %j alike", (incident, code) => {
    const args = { incident, title: "x", details: "y" };
    expect(tools.find(({ name }) => name === "create_ticket")?.readArguments(args)).toEqual({
      kind: "invalid",
      code,
    });
    const contract = guardedTools.find(({ name }) => name === "create_ticket");
    expect(contract?.interpret(JSON.stringify(args))).toEqual({ kind: "invalid", code });
  });

  it.each(["../a.txt", "/a.txt", "a//b.txt", "a/../b.txt", "A.txt", "a.txt ", "a\u0000.txt", "а.txt"])(
    "refuse the path %j alike",
    (path) => {
      const args = { path, content: "x" };
      expect(tools.find(({ name }) => name === "write_file")?.readArguments(args).kind).toBe("invalid");
      expect(
        guardedTools.find(({ name }) => name === "write_file")?.interpret(JSON.stringify(args)).kind,
      ).toBe("invalid");
    },
  );
});

describe("a registry", () => {
  const [draft] = tools;
  if (draft === undefined) throw new Error("there is no tool");

  it("refuses a tool whose effect class is none of the three, and says which there are", () => {
    expect(() => createRegistry([{ ...draft, effect: "mostly_harmless" }])).toThrow(
      /mostly_harmless.*read, write, external/s,
    );
  });

  it("refuses two tools of one name", () => {
    expect(() => createRegistry([draft, draft])).toThrow(/two tools are called draft/);
  });

  it("knows no tool that was not registered", () => {
    expect(createRegistry([draft]).find("create_ticket")).toBeUndefined();
  });

  it("takes reads and effects with a key for idempotent, and a notification not", () => {
    const of = (name: string, args: Record<string, string>) => {
      const tool = tools.find((one) => one.name === name);
      return tool !== undefined && isIdempotent(tool, args);
    };
    expect([
      of("read_config", { name: "region" }),
      of("create_ticket", { incident: "INC-001" }),
      of("notify_oncall", { service: "search", message: "x" }),
    ]).toEqual([true, true, false]);
  });
});

describe("a notification", () => {
  it("goes over HTTP, once, however often its call is delivered", async () => {
    const service = await openNotificationService();
    const own = builtInTools({ notify: notifyOver(service.url), writeFile: () => {} });
    const bench = openGuardedBench({ tools: own.filter(({ name }) => name === "notify_oncall") });
    const actions = [
      submit("a1", "notify_oncall", note),
      finish("a1"),
      decide("approve", "d1"),
      retry("a2", "a1"),
      finish("a2"),
      retry("a3", "a1"),
      finish("a3"),
    ];
    const { history, verdict } = await bench.run(actions);
    expect(verdict.violations).toEqual([]);
    expect(endingOf(history, "a3")).toBe("accepted/ok");
    expect(service.received()).toEqual([note]);
    await bench.close();
    await service.close();
  });

  it("that the service does not take is an error, and the effect stays and is not sent again", async () => {
    let sent = 0;
    const notify = async (): Promise<void> => {
      sent++;
      throw new Error("503");
    };
    const own = builtInTools({ notify, writeFile: () => {} });
    const bench = openGuardedBench({ tools: own.filter(({ name }) => name === "notify_oncall") });
    const actions = [
      submit("a1", "notify_oncall", note),
      finish("a1"),
      decide("approve", "d1"),
      retry("a2", "a1"),
      finish("a2"),
      retry("a3", "a1"),
      finish("a3"),
    ];
    const { history } = await bench.run(actions, { epilogue: "left_out" });
    expect(endingOf(history, "a2")).toBe("error/delivery_failed");
    expect(endingOf(history, "a3")).toBe("accepted/ok");
    expect([lastObservation(history).effects.length, sent]).toEqual([1, 1]);
    await bench.close();
  });

  it("is refused by a service that is not there", async () => {
    const service = await openNotificationService();
    await service.close();
    await expect(notifyOver(service.url)(note)).rejects.toThrow();
  });
});

describe("a file of the workspace", () => {
  const root = mkdtempSync(join(tmpdir(), "workspace-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const write = workspaceWriter(root);
  const fileOf = (tenant: string, path: string) => join(root, Buffer.from(tenant).toString("hex"), path);

  it("is written once, and asked for on a reuse", () => {
    write("a/b.txt", "hello", { tenant: "t1", again: false });
    write("a/b.txt", "hello", { tenant: "t1", again: true });
    expect(readFileSync(fileOf("t1", "a/b.txt"), "utf8")).toBe("hello");
  });

  it("is written on a reuse that finds it missing", () => {
    write("late.txt", "hello", { tenant: "t1", again: true });
    expect(readFileSync(fileOf("t1", "late.txt"), "utf8")).toBe("hello");
  });

  it("is one's own for each tenant, whatever a tenant is called", () => {
    write("same.txt", "one", { tenant: "t1", again: false });
    write("same.txt", "two", { tenant: "../t1", again: false });
    expect([
      readFileSync(fileOf("t1", "same.txt"), "utf8"),
      readFileSync(fileOf("../t1", "same.txt"), "utf8"),
    ]).toEqual(["one", "two"]);
  });

  it("that holds something else is not overwritten", () => {
    write("taken.txt", "mine", { tenant: "t1", again: false });
    writeFileSync(fileOf("t1", "taken.txt"), "yours");
    expect(() => write("taken.txt", "mine", { tenant: "t1", again: true })).toThrow("another file is there");
    expect(readFileSync(fileOf("t1", "taken.txt"), "utf8")).toBe("yours");
  });
});
