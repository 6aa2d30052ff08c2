import type { Facts } from "../model/vocabulary.js";
import { canonicalDigest } from "./digest.js";
import { draftRequests } from "./draft-requests.js";
import { draftText, readDraft } from "./draft-rules.js";
import { isJsonObject, plantedTexts } from "./request-text.js";
import type { ToolContract } from "./tool.js";

/**
 * The ledger's tool: one draft per job. Its rules are written out here in plain conditions, so that an executor
 * that relies on a schema library is judged by something else.
 */
export const draftContract: ToolContract = {
  name: "draft",
  effect: "write",
  interpret: (request) => factsOf(request),
  accepts: (output, request) => {
    const reading = readDraft(request);
    return (
      reading.kind === "valid" &&
      isJsonObject(output) &&
      Object.keys(output).length === 2 &&
      output.job === reading.draft.job &&
      output.text === draftText(reading.draft)
    );
  },
  canaries: (request) => {
    const reading = readDraft(request);
    return reading.kind === "valid" ? [draftText(reading.draft)] : plantedTexts(request);
  },
  requests: draftRequests,
};

const factsOf = (request: string): Facts => {
  const reading = readDraft(request);
  if (reading.kind === "invalid") return reading;
  const { job, copies } = reading.draft;
  return { kind: "valid", key: job, digest: canonicalDigest(reading.draft), weight: copies };
};
