import type { TraceFormat } from "../../trace.js";
import type { TraceReader } from "../trace-reader.js";
import { agentsSdk } from "./agents-sdk.js";
import { anthropic } from "./anthropic.js";
import { langfuse } from "./langfuse.js";
import { langsmith } from "./langsmith.js";
import { mcp } from "./mcp.js";
import { openaiChat } from "./openai-chat.js";
import { openaiResponses } from "./openai-responses.js";
import { opentelemetry } from "./opentelemetry.js";
import { plain } from "./plain.js";

/** The reader of each format; a format without one does not compile. */
export const readers: Readonly<Record<TraceFormat, TraceReader>> = {
  openai_chat: openaiChat,
  openai_responses: openaiResponses,
  agents_sdk: agentsSdk,
  anthropic,
  mcp,
  opentelemetry,
  langfuse,
  langsmith,
  plain,
};
