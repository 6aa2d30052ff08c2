import { faultyWorkspaces } from "../../src/sut/faulty/workspace/faulty-workspaces.js";
import { openWorkspace } from "../../src/sut/tools/workspace-file.js";
import { soundSteps } from "../../src/sut/tools/workspace-steps.js";

/**
 * One call in a process of its own, which may be left to wait or be limited in what it may write; prints that it
 * calls, and the answer.
 *
 * use: one-call <sound or a known bug> <root> read <path>
 *      one-call <sound or a known bug> <root> create <path> <number of letters>
 */
function oneCall(name = "", root = "", verb = "", path = "", letters = "0"): unknown {
  const steps = name === "sound" ? soundSteps : faultyWorkspaces.find((bug) => bug.name === name)?.steps;
  if (steps === undefined) throw new Error(`expected sound or a known bug, found ${JSON.stringify(name)}`);
  const opening = openWorkspace(root, { steps });
  if (opening.kind === "refused") return opening;
  const { workspace } = opening;
  console.log("calling");
  return verb === "read" ? workspace.read(path) : workspace.create(path, "a".repeat(Number(letters)));
}

console.log(JSON.stringify(oneCall(...process.argv.slice(2))));
