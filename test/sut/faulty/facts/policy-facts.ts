import {
  completed,
  isPolicy,
  keysOf,
  lastStore,
  observations,
  storeAfter,
  type WrongFact,
} from "../evidence.js";

/** Every witness here submits two copies of JOB-001, checked under revision 1 with its limit of 3. */
export const policyFacts: readonly WrongFact[] = [
  {
    bug: "commits-on-the-snapshot-alone",
    because: "two copies were committed while the limit was 1",
    shows: (history) =>
      keysOf(storeAfter(history, "a1")).includes("JOB-001") &&
      isPolicy(storeAfter(history, "a1").policy, 2, 1),
  },
  {
    bug: "rechecks-the-limit-not-the-revision",
    because: "setting the limit to 3 again takes revision 2, under which a1 was never checked",
    shows: (history) =>
      keysOf(storeAfter(history, "a1")).includes("JOB-001") &&
      isPolicy(storeAfter(history, "a1").policy, 2, 3),
  },
  {
    bug: "takes-a-new-snapshot-without-the-check",
    because: "two copies carry revision 2, whose limit is 1",
    shows: (history) =>
      storeAfter(history, "a1").effects.some(({ revision }) => revision === 2) &&
      isPolicy(storeAfter(history, "a1").policy, 2, 1),
  },
  {
    bug: "reads-a-missing-policy-as-no-limit",
    because: "nothing may be committed while there is no policy",
    shows: (history) =>
      keysOf(storeAfter(history, "a1")).includes("JOB-001") &&
      storeAfter(history, "a1").policy.kind === "missing",
  },
  {
    bug: "reuses-a-revision",
    because: "the policy set after the removal takes revision 2",
    shows: (history) =>
      observations(history).some(({ policy }) => policy.kind === "missing") &&
      isPolicy(lastStore(history).policy, 1, 3),
  },
  {
    bug: "reports-busy-as-a-policy-change",
    because: "the policy is still that of the check; a lock that cannot be had is error/busy",
    shows: (history) =>
      completed(history, "a1")?.status === "policy_changed" &&
      isPolicy(storeAfter(history, "a1").policy, 1, 3),
  },
  {
    bug: "takes-an-unwritten-insert-for-a-policy-change",
    because: "the policy is still that of the check; the write itself failed, error/effect_not_written",
    shows: (history) =>
      completed(history, "a1")?.status === "policy_changed" &&
      isPolicy(storeAfter(history, "a1").policy, 1, 3),
  },
];
