import type { Facts } from "../model/vocabulary.js";
import type { ToolContract } from "./tool.js";

/** Requests remembered at a time; a campaign generates some hundreds of different ones. */
const most = 4096;

/** The same contract, which reads each request text once: a campaign asks about the same texts again and again. */
export function remembered(contract: ToolContract): ToolContract {
  const facts = memory(contract.interpret);
  const canaries = memory(contract.canaries);
  const { toolbox } = contract;
  const tools =
    toolbox === undefined ? {} : { toolbox: { ...toolbox, tools: toolbox.tools.map(remembered) } };
  return { ...contract, interpret: facts, canaries, ...tools };
}

function memory<Answer extends Facts | readonly string[]>(
  ask: (request: string) => Answer,
): (request: string) => Answer {
  const known = new Map<string, Answer>();
  return (request) => {
    const answer = known.get(request);
    if (answer !== undefined) return answer;
    if (known.size >= most) known.clear();
    const fresh = ask(request);
    known.set(request, fresh);
    return fresh;
  };
}
