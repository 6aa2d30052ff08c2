import type { ToolContract } from "../../contract/tool.js";
import type { Fault, Happening } from "../../model/vocabulary.js";
import type { Waiting } from "../../model/world.js";
import { badOutputText } from "../../sut/fault-kinds.js";
import { deliveryOf } from "./observation.js";

/** What the history says of a submission, as the harness would record it. */
export function submission(
  { name, request, context, facts }: Pick<Waiting, "name" | "request" | "context" | "facts">,
  faults: readonly Fault[],
  contract: ToolContract,
): Happening {
  const planted = faults.some(({ kind }) => kind === "bad_output") ? [badOutputText] : [];
  return {
    kind: "submitted",
    attempt: name,
    delivery: deliveryOf(name),
    request,
    context,
    faults,
    contract: facts,
    canaries: [...contract.canaries(request), ...planted],
  };
}
