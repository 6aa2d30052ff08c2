import type { ToolContract } from "../contract/tool.js";
import type { Action, Event, Happening, PolicySetting } from "../model/vocabulary.js";
import type { Port } from "../sut/port.js";
import type { Budget } from "./budget.js";
import { advance, cancel, expire, finish, submit, submitAgain } from "./drive/attempts.js";
import { advanceClock, decide, drive, roundTrip, setCapability, settle } from "./drive/consent.js";
import { driveEpilogue } from "./drive/epilogue.js";
import { changeRules, damageLedger, gate, reconcile, say } from "./drive/rules.js";
import { createScene, type Done, type Scene } from "./drive/scene.js";
import { arm, changePolicy, crash, disarm, restart } from "./drive/surroundings.js";

/** Drives one run of a port and records its history. */
export type Drive = {
  /** Carries one action out. Rejects with `Overrun` or what the port threw: the harness or the executor broke. */
  readonly perform: (action: Action) => Promise<Done>;
  /** Faults off, executor up, every attempt driven to its end, then one more attempt of each intention. */
  readonly epilogue: () => Promise<void>;
  readonly history: readonly Event[];
};

export type DriveOptions = {
  readonly port: Port;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  readonly budget: Budget;
};

/** Starts the port on an empty store; the first event is what the second observer reads there. */
export async function startDrive({ port, contract, policy, budget }: DriveOptions): Promise<Drive> {
  const history: Event[] = [];
  let action = 0;
  const append = (happening: Happening): void => {
    history.push({ ...happening, position: history.length, action });
  };
  const scene = createScene({ port, contract, budget }, append);
  const capabilities = contract.toolbox?.capabilities;
  const held = capabilities === undefined ? {} : { capabilities };
  await budget.within("start", () => port.start({ policy, report: scene.report, ...held }));
  await scene.readStore(false);
  return {
    history,
    perform: async (what) => {
      const done = await carryOut(scene, what);
      action++;
      return done;
    },
    epilogue: () => driveEpilogue(scene),
  };
}

function carryOut(scene: Scene, what: Action): Promise<Done> {
  switch (what.kind) {
    case "submit":
      return submit(scene, what);
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
      return submitAgain(scene, what);
    case "advance":
      return advance(scene, what.attempt);
    case "finish":
      return finish(scene, what.attempt);
    case "cancel":
      return cancel(scene, what.attempt);
    case "expire":
      return expire(scene, what.attempt);
    case "change_policy":
      return changePolicy(scene, what.to);
    case "arm":
      return arm(scene, what.fault);
    case "disarm":
      return disarm(scene, what.fault);
    case "approve":
    case "deny":
    case "revoke":
      return decide(scene, what);
    case "settle":
      return settle(scene, what.decision);
    case "advance_clock":
      return advanceClock(scene, what.by);
    case "set_capability":
      return setCapability(scene, what.capability, what.held);
    case "round_trip":
      return roundTrip(scene, what.tampered);
    case "drive":
      return drive(scene, what);
    case "say":
      return say(scene, what.text);
    case "change_rules":
      return changeRules(scene, what.to, what.flaw);
    case "reconcile":
      return reconcile(scene);
    case "damage_ledger":
      return damageLedger(scene);
    case "gate":
      return gate(scene, what.flaw);
    case "crash":
      return crash(scene, what.where);
    case "restart":
      return restart(scene);
    case "observe":
      return scene.readStore(true).then(() => "performed");
  }
}
