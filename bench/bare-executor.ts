import { join } from "node:path";
import type { ToolContract } from "../src/contract/tool.js";
import type {
  Action,
  AttemptName,
  Context,
  CrashPoint,
  DriverFault,
  Fault,
  Observation,
  PolicySetting,
} from "../src/model/vocabulary.js";
import { sameDriverFault } from "../src/sut/fault-kinds.js";
import { createLedger, type Ledger } from "../src/sut/ledger/ledger.js";
import { openObserver } from "../src/sut/ledger/observer.js";
import { stages } from "../src/sut/ledger/stages.js";
import { openStore, type Store } from "../src/sut/ledger/store.js";
import { openSqliteFaults, type SqliteFaults } from "../src/sut/sqlite-faults.js";
import type { Observer } from "../src/sut/sqlite-process.js";
import { type BareAttempt, bareAttempt, bareCall } from "./bare-attempt.js";

/**
 * The floor under any harness: the ledger, real faults and a second observer, moved by the least code that can move
 * them. No gate, no history, no model, no judge and no fast-check; only what an action list says, and the same reads
 * at the same places as a campaign makes.
 */
export type Bare = {
  readonly file: string;
  readonly maxCopies: number | "none";
  readonly contract: ToolContract;
  readonly faults: SqliteFaults;
  readonly observer: Observer;
  readonly attempts: Map<AttemptName, BareAttempt>;
  store: Store;
  ledger: Ledger;
  armed: readonly DriverFault[];
  isUp: boolean;
  last: Observation;
  reads: number;
  probes: number;
};

/** Opens it on an empty store in `directory`. */
export function openBare(directory: string, contract: ToolContract, policy: PolicySetting): Bare {
  const file = join(directory, "bare.db");
  const store = openStore(file);
  const connection = () => (bare.isUp ? bare.store.connection : undefined);
  const faults = openSqliteFaults({ file, tables: { execute: "effects", receipt: "receipts" }, connection });
  const observer = openObserver(file);
  const bare: Bare = {
    file,
    maxCopies: policy.kind === "limit" ? policy.maxCopies : "none",
    contract,
    faults,
    observer,
    attempts: new Map(),
    store,
    ledger: ledgerOver(store),
    armed: [],
    isUp: true,
    last: observer.read("not_probed"),
    reads: 0,
    probes: 0,
  };
  return bare;
}

export function closeBare({ store, observer, faults }: Bare): void {
  store.close();
  observer.close();
  faults.close();
}

/** Carries out one action list on an emptied store, with the epilogue of a campaign; what the store holds then. */
export async function runBare(bare: Bare, actions: readonly Action[]): Promise<Observation> {
  empty(bare);
  read(bare, "unprobed");
  for (const action of actions) await carryOut(bare, action);
  await epilogue(bare);
  return bare.last;
}

const emptySql = `BEGIN IMMEDIATE; ${[
  "effects",
  "receipts",
  "policy",
  "policy_revisions",
  "harness_child",
  "harness_ballast",
  "sqlite_sequence",
]
  .map((table) => `DELETE FROM ${table};`)
  .join(" ")} COMMIT`;

function empty(bare: Bare): void {
  bare.faults.connection.exec(emptySql);
  bare.attempts.clear();
  bare.armed = [];
  start(bare);
}

function start(bare: Bare): void {
  bare.store.initialise(bare.maxCopies);
  bare.ledger = ledgerOver(bare.store);
  bare.isUp = true;
}

function ledgerOver(store: Store): Ledger {
  let now = 0;
  return createLedger(store, stages, () => ++now);
}

function read(bare: Bare, lock: "probed" | "unprobed"): void {
  bare.reads++;
  if (lock === "probed") bare.probes++;
  bare.last = bare.observer.read(lock === "probed" ? bare.faults.probeLock() : "not_probed");
}

async function carryOut(bare: Bare, action: Action): Promise<void> {
  switch (action.kind) {
    case "submit":
      return submit(bare, action.attempt, action.request, action.context, action.faults);
    case "retry":
    case "retry_changed":
    case "resubmit_new_key": {
      const { request, context } = attemptOf(bare, action.of);
      return submit(
        bare,
        action.attempt,
        action.kind === "retry" ? request : action.request,
        action.kind === "resubmit_new_key" ? { ...context, callId: `c-${action.attempt}` } : context,
        action.faults,
      );
    }
    case "advance":
    case "expire":
      return resume(bare, attemptOf(bare, action.attempt));
    case "finish":
      return finish(bare, attemptOf(bare, action.attempt));
    case "cancel":
      attemptOf(bare, action.attempt).abort.abort(new Error("the caller cancelled"));
      return read(bare, "unprobed");
    case "change_policy":
      bare.ledger.setPolicy(action.to);
      return read(bare, "unprobed");
    case "arm":
      bare.armed = [...bare.armed, action.fault];
      return read(bare, "unprobed");
    case "disarm":
      bare.armed = bare.armed.filter((armed) => !sameDriverFault(armed, action.fault));
      return read(bare, "unprobed");
    case "crash":
      if (action.where.kind === "parked") return crash(bare);
      if (action.where.kind !== "at") throw new Error(`the ledger knows no crash ${action.where.kind}`);
      return crashAt(bare, attemptOf(bare, action.where.attempt), action.where.at);
    case "restart":
      return restart(bare);
    case "observe":
      return read(bare, "probed");
    default:
      throw new Error(`the ledger knows no ${action.kind}`);
  }
}

function attemptOf(bare: Bare, name: AttemptName): BareAttempt {
  const attempt = bare.attempts.get(name);
  if (attempt === undefined) throw new Error(`the list names ${name}, which it has not submitted`);
  return attempt;
}

async function submit(
  bare: Bare,
  name: AttemptName,
  request: string,
  context: Context,
  faults: readonly Fault[],
): Promise<void> {
  const attempt = bareAttempt(request, context, faults);
  bare.attempts.set(name, attempt);
  await moved(attempt, () => {
    bare.ledger.run(bareCall(bare, attempt, `d-${name}`)).then(
      ({ status }) => settle(bare, attempt, status === "error" ? "badly" : "well"),
      () => settle(bare, attempt, "badly"),
    );
  });
  arrive(bare, attempt);
}

/** Sets an attempt in motion and waits until it is at rest. */
function moved(attempt: BareAttempt, set: () => void): Promise<void> {
  return new Promise((resolve) => {
    attempt.rested = resolve;
    set();
  });
}

/** The read at release comes in the very moment in which the call settles. */
function settle(bare: Bare, attempt: BareAttempt, how: "well" | "badly"): void {
  if (attempt.state === "killed") return;
  attempt.state = "ended";
  if (how === "badly") attempt.isSuspect = true;
  read(bare, "unprobed");
  attempt.rested();
}

function arrive(bare: Bare, attempt: BareAttempt): void {
  if (attempt.state === "ended") bare.faults.lift();
  read(bare, attempt.state === "ended" && attempt.isSuspect ? "probed" : "unprobed");
}

async function resume(bare: Bare, attempt: BareAttempt): Promise<void> {
  await moved(attempt, attempt.resume);
  arrive(bare, attempt);
}

async function finish(bare: Bare, attempt: BareAttempt): Promise<void> {
  while (attempt.state === "parked") await resume(bare, attempt);
}

async function crashAt(bare: Bare, attempt: BareAttempt, at: CrashPoint): Promise<void> {
  attempt.kill = at;
  await moved(attempt, attempt.resume);
  attempt.kill = undefined;
  if (attempt.state === "killed") crash(bare);
  else arrive(bare, attempt);
}

function crash(bare: Bare): void {
  bare.isUp = false;
  bare.store.close();
  for (const attempt of bare.attempts.values()) if (attempt.state !== "ended") attempt.state = "killed";
  bare.faults.lift();
  read(bare, "probed");
}

function restart(bare: Bare): void {
  bare.store = openStore(bare.file);
  start(bare);
  read(bare, "probed");
}

/** Faults off, executor up, every attempt to its end, then one more attempt of each intention. */
async function epilogue(bare: Bare): Promise<void> {
  bare.armed = [];
  for (const attempt of bare.attempts.values()) attempt.faults = [];
  bare.faults.lift();
  if (!bare.isUp) restart(bare);
  const latest = new Map<string, BareAttempt>();
  for (const attempt of bare.attempts.values()) {
    if (attempt.state === "blocked") await resume(bare, attempt);
    await finish(bare, attempt);
    const facts = bare.contract.interpret(attempt.request);
    if (facts.kind === "valid") latest.set(`${attempt.context.tenant}\n${facts.key}`, attempt);
  }
  for (const { request, context } of latest.values()) {
    const name: AttemptName = `a${bare.attempts.size + 1}`;
    await submit(bare, name, request, context, []);
    await finish(bare, attemptOf(bare, name));
  }
}
