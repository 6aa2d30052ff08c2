import { decideCapability } from "../capability.js";
import { asking, goOn, type Passage, say, settle, type Turn, toolOf } from "../passage.js";

/** Holds who acts, for which tenant, with which tool, on what, against the capabilities of this moment. */
export function passCapability(passage: Passage): Turn {
  return asking(passage, "capability", () =>
    holdsCapability(passage)
      ? goOn(say(passage, "capability_granted"))
      : settle(passage, "permission_denied", "capability"),
  );
}

/** Whether the attempt's principal may do now what it is about to do. */
export function holdsCapability({ world, attempt }: Passage): boolean {
  const { context, facts } = attempt;
  const { principal, tenant } = context;
  const resource = facts.kind === "valid" ? facts.tool?.resource : undefined;
  const asked = { principal, tenant, tool: toolOf(world, context), resource };
  return decideCapability(asked, world.capabilities).action === "allow";
}
