import { draftContract } from "../src/contract/draft.js";
import type { AttemptName, Fault, Happening, PolicySetting } from "../src/model/vocabulary.js";
import { createJudge, type Judge } from "../src/properties/judge.js";
import { badOutputText } from "../src/sut/fault-kinds.js";
import { openLedgerPort } from "../src/sut/ledger/system.js";
import type { Port, Progress, Reported } from "../src/sut/port.js";
import type { Tracked } from "./plain-model.js";

const budgetMs = 5000;

/** An executor on a store of its own for one run, and the judge that is told of everything done to it. */
export class Session {
  private position = 0;
  /** Commands that have run. */
  action = 0;
  private readonly faulted = new Set<AttemptName>();
  private readonly cancelled = new Set<AttemptName>();
  private readonly broken: string[] = [];
  /** Reports that wait until it is known whether a crash struck. */
  private waiting: Happening[] | undefined;

  private constructor(
    readonly port: Port,
    private readonly judge: Judge,
  ) {}

  /** Opens a fresh store in `directory`. */
  static async open(directory: string, policy: PolicySetting): Promise<Session> {
    const port = openLedgerPort({ directory, budgetMs });
    const session = new Session(port, createJudge(port.profile, { policy, tool: draftContract.name }));
    await port.start({ policy, report: (reported) => session.report(reported) });
    await session.read("unprobed");
    return session;
  }

  record(happening: Happening): void {
    const found = this.judge.add({ ...happening, position: this.position++, action: this.action });
    for (const { promise, sentence } of found) this.broken.push(`${promise}: ${sentence}`);
  }

  async read(lock: "probed" | "unprobed"): Promise<void> {
    this.record({
      kind: "observed",
      observation: await this.port.observe({ probeLock: lock === "probed" }),
    });
  }

  async submit(tracked: Tracked, faults: readonly Fault[]): Promise<void> {
    const { name: attempt, request, context } = tracked;
    const delivery = `d-${attempt}`;
    const contract = draftContract.interpret(request);
    const planted = faults.some(({ kind }) => kind === "bad_output") ? [badOutputText] : [];
    const canaries = [...draftContract.canaries(request), ...planted];
    if (faults.length > 0) this.faulted.add(attempt);
    this.record({ kind: "submitted", attempt, delivery, request, context, faults, contract, canaries });
    await this.arrive(tracked, await this.port.submit({ attempt, delivery, request, context, faults }));
  }

  async advance(tracked: Tracked): Promise<void> {
    this.record({ kind: "advanced", attempt: tracked.name });
    await this.arrive(tracked, await this.port.advance(tracked.name));
  }

  async expire(tracked: Tracked): Promise<void> {
    this.record({ kind: "expired", attempt: tracked.name });
    await this.arrive(tracked, await this.port.expire(tracked.name));
  }

  async finish(tracked: Tracked): Promise<void> {
    while (tracked.state === "parked") await this.advance(tracked);
  }

  async restart(): Promise<void> {
    this.record({ kind: "restarted", result: await this.port.restart() });
    await this.read("probed");
  }

  /** Does what may crash the executor; what is reported meanwhile is recorded by `told`, when the time has come. */
  async heldBack<Answer>(crash: () => Promise<Answer>): Promise<{ answer: Answer; told: () => void }> {
    const waiting: Happening[] = [];
    this.waiting = waiting;
    const answer = await crash();
    this.waiting = undefined;
    const told = (): void => {
      for (const reported of waiting) this.record(reported);
    };
    return { answer, told };
  }

  async arrive(tracked: Tracked, progress: Progress): Promise<void> {
    const { name: attempt, request } = tracked;
    if (progress.kind === "returned") {
      const { outcome, atRelease } = progress;
      tracked.state = "ended";
      if (tracked.isCancelling && !this.cancelled.has(attempt))
        this.record({ kind: "cancel_too_late", attempt });
      const isReleased = outcome.kind === "completed" && outcome.released.kind === "value";
      const isRight = isReleased && draftContract.accepts(outcome.released.value, request);
      const releasedIs = !isReleased ? "nothing" : isRight ? "acceptable" : "unacceptable";
      this.record({ kind: "ended", attempt, outcome, releasedIs, atRelease });
      const isSuspect =
        this.faulted.has(attempt) || outcome.kind !== "completed" || outcome.status === "error";
      return this.read(isSuspect ? "probed" : "unprobed");
    }
    tracked.state = progress.kind;
    if (progress.kind === "blocked") this.record({ kind: "blocked", attempt, on: progress.on });
    else {
      const { at, snapshotRevision } = progress;
      this.record({ kind: "parked", attempt, at, snapshotRevision });
    }
    return this.read("unprobed");
  }

  /** Ends the history. Throws if a promise is broken, which fails the property. */
  finishJudging(): void {
    for (const { promise, sentence } of this.judge.finish()) this.broken.push(`${promise}: ${sentence}`);
    this.assertUnbroken();
  }

  assertUnbroken(): void {
    if (this.broken.length > 0) throw new Error(this.broken.join("\n"));
  }

  private report(reported: Reported): void {
    if (reported.kind === "fault_fired") this.faulted.add(reported.attempt);
    if (reported.kind === "cancel_delivered") this.cancelled.add(reported.attempt);
    if (this.waiting === undefined) this.record(reported);
    else this.waiting.push(reported);
  }
}
