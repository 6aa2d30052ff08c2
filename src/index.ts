/**
 * The library door: what a configuration file, a plugged-in executor, an agent behind a guard and a script over reports need.
 *
 * @module commitpoint
 */
export { type CommitpointConfig, defineConfig } from "./config/define-config.js";
export { contractFromSchema, type ToolDefinition } from "./contract/from-schema.js";
export type { ToolContract } from "./contract/tool.js";
export type { Exploration } from "./explore/exploration.js";
export { type ExploreOptions, explore } from "./explore/explore.js";
export type { Machine } from "./explore/machine.js";
export type { ExploreReport } from "./explore/report.js";
export { type SearchOptions, search } from "./explore/search.js";
export type {
  Action,
  Checkpoint,
  Context,
  CrashPoint,
  EffectRow,
  Event,
  Fault,
  Observation,
  Outcome,
  Policy,
  PolicySetting,
  Profile,
  ReceiptRow,
} from "./model/vocabulary.js";
export { type CampaignOptions, type Crew, runCampaign } from "./properties/campaign.js";
export { reachableTransitions } from "./properties/coverage.js";
export { inlineCrew } from "./properties/inline-crew.js";
export { type Bench, executeRun, type RunRecord } from "./properties/run.js";
export {
  type CampaignReport,
  type Counterexample,
  type PromiseId,
  promiseIds,
  type Violation,
} from "./properties/verdict.js";
export type { Doubt, RuleDecision, Violation as RuleViolation } from "./rules/decision.js";
export type { Finding } from "./rules/finding.js";
export { type GateOptions, type GateReport, gate } from "./rules/gate.js";
export { fileStore } from "./rules/guard/file-store.js";
export {
  createGuard,
  createSyncGuard,
  type Guard,
  type GuardSession,
  type SyncGuard,
  type SyncGuardSession,
} from "./rules/guard/guard.js";
export type { GuardWarning } from "./rules/guard/guard-warnings.js";
export type { CallContext, GuardDecision, GuardOptions } from "./rules/guard/guarding.js";
export { LedgerBusy } from "./rules/guard/ledger-busy.js";
export { LedgerUnreadable } from "./rules/guard/ledger-unreadable.js";
export { memoryStore } from "./rules/guard/memory-store.js";
export { NotSettled } from "./rules/guard/not-settled.js";
export { NothingHappened } from "./rules/guard/nothing-happened.js";
export { type PostgresPool, postgresStore } from "./rules/guard/postgres-store.js";
export type { EffectSeen, Reconciled } from "./rules/guard/reconciling.js";
export type { ReservationStore, SyncReservationStore } from "./rules/guard/reservation-store.js";
export { type SimpleLedger, simpleStore } from "./rules/guard/simple-store.js";
export { sqliteStore } from "./rules/guard/sqlite-store.js";
export { ToolBlocked } from "./rules/guard/tool-blocked.js";
export { type LoadedRules, loadRules } from "./rules/load/load-rules.js";
export type { RuleMistake } from "./rules/load/rule-mistake.js";
export type { RuleWarning } from "./rules/load/rule-warnings.js";
export type { Assertion, Condition, Region, Rule, Severity } from "./rules/rule.js";
export type { Trace, TraceFormat } from "./rules/trace.js";
export { loadTraces } from "./rules/traces/load-traces.js";
export type { LoadedTraces } from "./rules/traces/read-trace.js";
export { chinese } from "./rules/wording/chinese.js";
export { english } from "./rules/wording/english.js";
export type { Wording } from "./rules/wording/wording.js";
export { loadScenario } from "./scenario/load.js";
export { type Replayed, replayScenario } from "./scenario/replay.js";
export { writeScenario } from "./scenario/write.js";
export {
  type CallOptions,
  type ClaimedAbilities,
  type DefinedExecutor,
  defineExecutor,
  type ExecutorDefinition,
  type Reading,
} from "./sut/adapters/define-executor.js";
export type { Footprint, Place } from "./sut/footprint.js";
export type { Port } from "./sut/port.js";
export { type SqliteFootprint, sqliteFootprint } from "./sut/sqlite-footprint.js";
