import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "../../../model/vocabulary.js";
import { draftSchema } from "../../ledger/arguments.js";
import type { Delivery, GuardedTool, ReadArguments, ToolArguments } from "./registry.js";

/** What the tools need of the world outside the store. */
export type ToolMeans = {
  /** Rejects if the service did not take it. */
  readonly notify: (note: { readonly service: string; readonly message: string }) => Promise<void>;
  /** Makes a file of the tenant's workspace if it is missing. Throws if it cannot, or if another one is there. */
  readonly writeFile: (path: string, content: string, delivery: Delivery) => void;
};

const ajv = new Ajv2020({ allErrors: true, strict: true });

/** The six tools that come with the guarded executor. */
export function builtInTools({ notify, writeFile }: ToolMeans): readonly GuardedTool[] {
  return [
    draft,
    createTicket,
    { ...notifyOncall, deliver: (args, { again }) => deliverNote(args, again, notify) },
    { ...pageOncall, deliver: (args, { again }) => deliverNote(args, again, notify) },
    readConfig,
    {
      ...writeFileTool,
      deliver: async (args, delivery) => writeFile(text(args, "path"), text(args, "content"), delivery),
    },
  ];
}

/** A notification has no key under which it could be asked about: it is sent once, and never on a reuse. */
async function deliverNote(args: ToolArguments, again: boolean, notify: ToolMeans["notify"]): Promise<void> {
  if (!again) await notify({ service: text(args, "service"), message: text(args, "message") });
}

const draft: GuardedTool = {
  name: "draft",
  effect: "write",
  role: "editor",
  readArguments: reader(["job", "topic", "copies"], draftSchema),
  key: (args) => text(args, "job"),
  weight: (args) => Number(args.copies),
  resource: () => "drafts",
  result: (args) => ({ job: text(args, "job"), text: `${args.topic} / copies=${args.copies}` }),
};

const createTicket: GuardedTool = {
  name: "create_ticket",
  effect: "write",
  role: "ticket_approver",
  readArguments: reader(["incident", "title", "details"], {
    ...record(["incident", "title", "details"]),
    properties: {
      incident: { type: "string", pattern: "^INC-[0-9]{3}$" },
      title: { type: "string", minLength: 1, maxLength: 80 },
      details: { type: "string", minLength: 1, maxLength: 500 },
    },
  }),
  key: (args) => text(args, "incident"),
  weight: () => 1,
  resource: () => "tickets",
  result: (args) => ({
    ticket: `TCK-${text(args, "incident").slice(-3)}`,
    title: text(args, "title"),
    details: text(args, "details"),
  }),
};

const notifyOncall: GuardedTool = {
  name: "notify_oncall",
  effect: "external",
  role: "incident_commander",
  readArguments: reader(["service", "message"], {
    ...record(["service", "message"]),
    properties: {
      service: { type: "string", enum: ["search", "billing"] },
      message: { type: "string", minLength: 1, maxLength: 200 },
    },
  }),
  key: () => "",
  weight: () => 1,
  resource: (args) => `oncall/${args.service}`,
  result: (args) => ({ service: text(args, "service"), message: text(args, "message") }),
};

/** The same arguments as a notification, so that a digest alone does not tell the two apart. */
const pageOncall: GuardedTool = {
  ...notifyOncall,
  name: "page_oncall",
  resource: (args) => `pager/${args.service}`,
};

const settings = new Map([
  ["region", "north"],
  ["retention", "30 days"],
]);

const readConfig: GuardedTool = {
  name: "read_config",
  effect: "read",
  role: "none",
  readArguments: reader(["name"], {
    ...record(["name"]),
    properties: { name: { type: "string", enum: [...settings.keys()] } },
  }),
  key: () => "",
  weight: () => 1,
  resource: (args) => `config/${args.name}`,
  result: (args) => ({ name: text(args, "name"), value: settings.get(text(args, "name")) ?? "" }),
};

const writeFileTool: GuardedTool = {
  name: "write_file",
  effect: "write",
  role: "editor",
  readArguments: reader(["path", "content"], {
    ...record(["path", "content"]),
    properties: {
      path: { type: "string", maxLength: 64, pattern: "^[a-z0-9-]+(/[a-z0-9-]+)*\\.txt$" },
      content: { type: "string", maxLength: 200 },
    },
  }),
  key: (args) => text(args, "path"),
  weight: () => 1,
  resource: () => "workspace",
  result: (args) => ({ path: text(args, "path"), characters: text(args, "content").length }),
};

function record(fields: readonly string[]): { readonly [keyword: string]: Json } {
  return { type: "object", additionalProperties: false, required: fields };
}

/** Reads arguments by a schema; the code of a refusal is `shape`, or the first field in this order that is wrong. */
function reader(
  fields: readonly string[],
  schema: { readonly [keyword: string]: unknown },
): (raw: unknown) => ReadArguments {
  const validate = ajv.compile<ToolArguments>(schema);
  return (raw) => {
    if (validate(raw)) {
      const args = Object.fromEntries(fields.map((field) => [field, raw[field] ?? ""]));
      return { kind: "valid", args };
    }
    const wrong = (validate.errors ?? []).map((error) => error.instancePath.slice(1));
    const first = wrong.includes("") ? undefined : fields.find((field) => wrong.includes(field));
    return { kind: "invalid", code: first ?? "shape" };
  };
}

function text(args: ToolArguments, name: string): string {
  return String(args[name]);
}
