import type { Field, Machine, Slots } from "../../src/explore/machine.js";
import { smallModelReductions } from "./small-model-reductions.js";
import {
  act,
  kinds,
  phase,
  place,
  policyChange,
  type Shape,
  type SmallModelSize,
  shapeOf,
} from "./small-model-shape.js";

// Local names: what is read for every step is not looked up in another module each time.
const {
  crev: slotCrev,
  key: slotKey,
  mine: slotMine,
  pc: slotPc,
  rcpt: slotRcpt,
  snap: slotSnap,
  tries: slotTries,
} = place;
const {
  submitted,
  validated,
  checked,
  committed,
  outputPassed,
  receiptWritten,
  released,
  refused,
  cancelled,
} = phase;

/** The showings are numbered by what is broken: one bit a promise. */
const promises = ["OneDraft", "RelRcpt", "CommitRev"] as const;

/**
 * The small model of the baselines as a machine: attempts check, commit a draft under their key, write a receipt and
 * release it, while the policy changes; each may be cancelled, refused and retried.
 */
export function smallModel(size: SmallModelSize): Machine {
  const shape = shapeOf(size);
  return {
    name: `small model ${size.attempts}/${size.keys}/${size.policyChanges}/${size.retries}`,
    schema: { fields: fieldsOf(size) },
    initial: (into) => {
      into.fill(0);
    },
    mostEnabled: size.attempts * Math.max(3, size.keys) + 1,
    enabled: (state, into) => enabledIn(shape, state, into),
    step: (_, action, next) => change(shape, action, next),
    actionKinds: kinds,
    kindOf: (action) => (action === shape.policyAction ? policyChange : Math.min(action & 15, act.validate)),
    actionName: (_, action) => nameOf(shape, action),
    showings: Array.from({ length: 8 }, (_, bits) => ({
      broken: promises.filter((_, bit) => ((bits >> bit) & 1) === 1),
      occurred: [],
    })),
    showingOfState: (state) => brokenIn(shape, state),
    showingOfStep: () => 0,
    always: [
      { id: "OneDraft", over: "one_object", looksAt: "values" },
      { id: "RelRcpt", over: "one_attempt", looksAt: "values" },
      { id: "CommitRev", over: "one_attempt", looksAt: "values" },
    ],
    sometimes: [],
    liveness: [],
    progress: (state) => progressOf(shape, state),
    reductions: smallModelReductions(shape),
  };
}

function fieldsOf({ attempts, keys, policyChanges, retries }: SmallModelSize): readonly Field[] {
  const one = (name: string, values: number): Field => ({ name, length: 1, values });
  const attempt = (index: number): readonly Field[] => [
    one(`pc ${index}`, 9),
    one(`key ${index}`, keys),
    one(`snap ${index}`, policyChanges + 1),
    one(`crev ${index}`, policyChanges + 1),
    one(`tries ${index}`, retries + 1),
    one(`mine ${index}`, 2),
    one(`rcpt ${index}`, 2),
  ];
  return [
    one("rev", policyChanges + 1),
    one("lim", 2),
    { name: "draft", length: keys, values: 3 },
    // One more than is allowed, so that a broken promise can be seen.
    { name: "cnt", length: keys, values: 3 },
    ...Array.from({ length: attempts }, (_, index) => attempt(index)).flat(),
  ];
}

function enabledIn(shape: Shape, state: Slots, into: Int32Array): number {
  const { attempts, keys, retries, firstAttempt, slotsOfAttempt } = shape;
  let count = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const at = firstAttempt + attempt * slotsOfAttempt;
    const base = attempt << 4;
    switch (state[at + slotPc]) {
      case submitted:
        for (let key = 0; key < keys; key++) into[count++] = base + act.validate + key;
        break;
      case validated:
        into[count++] = base + act.check;
        into[count++] = base + act.cancel;
        break;
      case checked:
        into[count++] = base + act.commit;
        into[count++] = base + act.cancel;
        break;
      case committed:
        into[count++] = base + act.passOutput;
        into[count++] = base + act.refuseOutput;
        into[count++] = base + act.cancel;
        break;
      case outputPassed:
        into[count++] = base + act.writeReceipt;
        into[count++] = base + act.refuseReceipt;
        into[count++] = base + act.cancel;
        break;
      case receiptWritten:
        into[count++] = base + act.release;
        into[count++] = base + act.cancel;
        break;
      default:
        if ((state[at + slotTries] ?? 0) < retries) into[count++] = base + act.retry;
    }
  }
  if ((state[shape.revision] ?? 0) < shape.policyChanges) into[count++] = shape.policyAction;
  return count;
}

function change(shape: Shape, action: number, next: Slots): void {
  if (action === shape.policyAction) {
    next[shape.revision] = (next[shape.revision] ?? 0) + 1;
    next[shape.limit] = 1 - (next[shape.limit] ?? 0);
    return;
  }
  const attempt = action >> 4;
  const at = shape.firstAttempt + attempt * shape.slotsOfAttempt;
  switch (action & 15) {
    case act.check:
      check(shape, attempt, at, next);
      return;
    case act.commit:
      commit(shape, attempt, at, next);
      return;
    case act.passOutput:
      next[at + slotPc] = outputPassed;
      return;
    case act.refuseOutput:
    case act.refuseReceipt:
      next[at + slotPc] = refused;
      return;
    case act.writeReceipt:
      next[at + slotPc] = receiptWritten;
      next[at + slotRcpt] = 1;
      return;
    case act.release:
      next[at + slotPc] = released;
      return;
    case act.cancel:
      next[at + slotPc] = cancelled;
      return;
    case act.retry:
      retry(at, next);
      return;
    default:
      next[at + slotPc] = validated;
      next[at + slotKey] = (action & 15) - act.validate;
  }
}

function digestOf(attempt: number): number {
  return (attempt & 1) + 1;
}

function check(shape: Shape, attempt: number, at: number, next: Slots): void {
  if (next[shape.limit] === 1 && digestOf(attempt) === 2) {
    next[at + slotPc] = refused;
    return;
  }
  next[at + slotPc] = checked;
  next[at + slotSnap] = next[shape.revision] ?? 0;
}

function commit(shape: Shape, attempt: number, at: number, next: Slots): void {
  const key = next[at + slotKey] ?? 0;
  const draft = next[shape.draft + key];
  const digest = digestOf(attempt);
  if (next[at + slotSnap] !== next[shape.revision] || (draft !== 0 && draft !== digest)) {
    next[at + slotPc] = refused;
    return;
  }
  next[at + slotPc] = committed;
  next[at + slotCrev] = next[shape.revision] ?? 0;
  next[at + slotMine] = draft === 0 ? 1 : 0;
  if (draft !== 0) return;
  next[shape.draft + key] = digest;
  next[shape.count + key] = (next[shape.count + key] ?? 0) + 1;
}

function retry(at: number, next: Slots): void {
  next[at + slotPc] = validated;
  next[at + slotSnap] = 0;
  next[at + slotCrev] = 0;
  next[at + slotTries] = (next[at + slotTries] ?? 0) + 1;
  next[at + slotMine] = 0;
  next[at + slotRcpt] = 0;
}

function brokenIn({ attempts, keys, count, firstAttempt, slotsOfAttempt }: Shape, state: Slots): number {
  let broken = 0;
  for (let key = 0; key < keys; key++) if ((state[count + key] ?? 0) > 1) broken |= 1;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const at = firstAttempt + attempt * slotsOfAttempt;
    const pc = state[at + slotPc] ?? 0;
    if (pc === released && state[at + slotRcpt] !== 1) broken |= 2;
    if (pc >= committed && pc <= released && state[at + slotCrev] !== state[at + slotSnap]) broken |= 4;
  }
  return broken;
}

/** A try has nine phases, and each step but a retry goes to a later one. */
function progressOf({ attempts, revision, firstAttempt, slotsOfAttempt }: Shape, state: Slots): number {
  let progress = state[revision] ?? 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const at = firstAttempt + attempt * slotsOfAttempt;
    progress += (state[at + slotTries] ?? 0) * 9 + (state[at + slotPc] ?? 0);
  }
  return progress;
}

function nameOf(shape: Shape, action: number): string {
  if (action === shape.policyAction) return "policy change";
  const done = action & 15;
  const name = kinds[Math.min(done, act.validate)] ?? "";
  return `${name}${done >= act.validate ? ` key ${done - act.validate}` : ""} (attempt ${action >> 4})`;
}
