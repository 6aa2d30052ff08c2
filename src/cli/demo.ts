import { resolve } from "node:path";
import type { Command } from "commander";
import { defaults, defaultWorkers } from "../config/defaults.js";
import type { CampaignReport } from "../properties/verdict.js";
import { terminalReport } from "../report/terminal.js";
import { exitCodes, interruptedCode } from "./exit-codes.js";
import { keepCounterexamples } from "./keep.js";
import { campaignProgressText, progressLine } from "./progress-line.js";
import { executorNamed, type Session } from "./session.js";
import type { Verb } from "./verb.js";
import { checkFolderWritable } from "./write-whole.js";

/** The faulty executor that is shown: the policy may have moved on since its check, and it does not look. */
const shownBug = "commits-on-the-snapshot-alone";

const budget = { kind: "runs", runs: 1000 } as const;

/** `demo`: the sound executor holds, a faulty one is caught. Succeeds when both went as they should. */
export function addDemo(program: Command, verb: Verb): void {
  const command = program
    .command("demo")
    .description("see the built-in ledger hold every promise and a faulty executor being caught");
  verb(command, demo);
}

async function demo(session: Session): Promise<number> {
  const { stdout, signal, cwd } = session.io;
  const canvas = session.canvas(stdout);
  const { paint } = canvas;
  checkFolderWritable(resolve(cwd, defaults.outputDir), defaults.outputDir);
  const say = (text: string) => stdout.write(`${text}\n`);
  say(
    paint.bold(
      `1/2  The built-in ${defaults.executor}: SQLite, real transactions, generated interleavings of`,
    ),
  );
  say(paint.bold("     cancels, faults, policy changes, crashes and retries.\n"));
  const sound = await campaign(session, defaults.executor, "to the end");
  say(terminalReport(sound, { canvas, detail: session.detail, keptAt: () => undefined }));
  if (signal.aborted) return interruptedCode(signal);
  say(paint.bold(`2/2  The same against ${shownBug}, an executor with one known bug.\n`));
  const faulty = await campaign(session, shownBug, "bail");
  const kept = keepCounterexamples(session, faulty, defaults.outputDir);
  say(terminalReport(faulty, { canvas, detail: "quiet", keptAt: kept.at }));
  if (signal.aborted) return interruptedCode(signal);
  const asItShould = sound.verdict === "holds" && faulty.verdict === "violated";
  say(
    asItShould
      ? paint.green("As it should be: the sound executor holds, the faulty one is caught.")
      : paint.red(
          `Not as it should be: the sound executor ${sound.verdict}, the faulty one ${faulty.verdict}.`,
        ),
  );
  return asItShould ? exitCodes.holds : exitCodes.violated;
}

async function campaign(
  session: Session,
  name: string,
  until: "to the end" | "bail",
): Promise<CampaignReport> {
  const executor = executorNamed({ text: name, place: "commitpoint demo" }, { kind: "none" });
  const line = progressLine(session);
  const began = session.io.now().getTime();
  try {
    return await session.engine.campaign({
      executor,
      configFile: undefined,
      seed: defaults.seedUnderCi,
      budget,
      maxActions: defaults.maxActions,
      shard: { index: 1, count: 1 },
      workers: defaultWorkers(),
      bail: until === "bail",
      promises: undefined,
      allowVacuous: [],
      signal: session.io.signal,
      progress: (progress) =>
        line.show(() => campaignProgressText(progress, budget, session.io.now().getTime() - began)),
    });
  } finally {
    line.wipe();
  }
}
