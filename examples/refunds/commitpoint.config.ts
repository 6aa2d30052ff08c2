import Database from "better-sqlite3";
import { contractFromSchema, defineConfig, defineExecutor } from "commitpoint";
import { RefundRefused, Refunds } from "./refunds.js";

/** What the tool promises, whoever executes it. */
const refundTool = contractFromSchema({
  name: "refund",
  effect: "write",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["order", "cents"],
    properties: {
      order: { type: "string", pattern: "^ORD-[0-9]{4}$" },
      cents: { type: "integer", minimum: 1, maximum: 50000 },
    },
  },
  key: ({ order }) => String(order),
  accepts: (output, { order, cents }) =>
    JSON.stringify(output) === JSON.stringify({ order, refunded: cents }),
  examples: [
    { order: "ORD-0001", cents: 1250 },
    { order: "ORD-0002", cents: 99 },
  ],
});

const refunds = defineExecutor({
  tool: refundTool,
  abilities: { checkpoints: ["before_business"], cancel: true, crash: true },
  open: ({ directory }) => new Refunds(`${directory}/refunds.db`),
  call: (executor, request, { context, signal, checkpoint }) =>
    executor.run(request, {
      agent: context.principal,
      signal,
      beforeWrite: () => checkpoint("before_business"),
    }),
  close: (executor) => executor.close(),
  openObserver: ({ directory }) => new Database(`${directory}/refunds.db`),
  observe: (reader) => ({
    effects: reader
      .prepare<[], { key: string }>("SELECT order_id AS key FROM refunds ORDER BY order_id")
      .all(),
  }),
  closeObserver: (reader) => reader.close(),
  refusal: (error) => (error instanceof RefundRefused ? "it refuses before it writes" : undefined),
});

export default defineConfig({ executors: { refunds } });
