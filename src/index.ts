/**
 * The library door: what a configuration file, a plugged-in executor and a script over reports need.
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
