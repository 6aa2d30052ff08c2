import type { Grant } from "../../model/vocabulary.js";
import { draftContract } from "../draft.js";
import type { ToolContract } from "../tool.js";
import { guardedTools } from "./tools.js";

/** The tools of the guarded profile under one name; a call goes to the one that its context names. */
export const guardedContract: ToolContract = {
  ...(guardedTools[0] ?? draftContract),
  name: "guarded",
  toolbox: { tools: guardedTools, capabilities: capabilitiesOf(["t1", "t2"], "p1") },
};

function capabilitiesOf(tenants: readonly string[], principal: string): readonly Grant[] {
  const touched: readonly (readonly [string, string])[] = [
    ["draft", "drafts"],
    ["create_ticket", "tickets"],
    ["notify_oncall", "oncall/search"],
    ["notify_oncall", "oncall/billing"],
    ["page_oncall", "pager/search"],
    ["page_oncall", "pager/billing"],
    ["read_config", "config/region"],
    ["read_config", "config/retention"],
    ["write_file", "workspace"],
  ];
  return tenants.flatMap((tenant) =>
    touched.map(([tool, resource]): Grant => ({ principal, tenant, tool, resource })),
  );
}
