import { describe, expect, it } from "vitest";
import { createJudge } from "../../../src/properties/judge.js";
import { promiseIds } from "../../../src/properties/verdict.js";
import { guarded, held, page, three } from "../../model/guarded/fixture.js";
import { receiptRow, waiting } from "../../model/guarded/history.js";
import { happened } from "../history.js";
import { broken, denied, denies, endsAtOnce, pages, refused, sameCall, verdictOn } from "./history.js";

const denialHeeded = [
  ...denies,
  ...endsAtOnce(
    "a2",
    2,
    refused,
    { ...denied, receipts: [receiptRow(1, "a1", waiting), receiptRow(2, "a2", refused)] },
    page,
    sameCall,
  ),
];

describe("a sound guarded history", () => {
  it("in which a call asks, is granted and pages breaks no promise and is one of the machine's", () => {
    expect(broken(pages)).toEqual([]);
    expect(verdictOn(happened(...pages), ["matches-the-machine"]).violations).toEqual([]);
  });

  it("in which a call is denied and refused breaks no promise and is one of the machine's", () => {
    expect(broken(denialHeeded)).toEqual([]);
    expect(verdictOn(happened(...denialHeeded), ["matches-the-machine"]).violations).toEqual([]);
  });

  it("brings about what the promises of an approval that is asked for, given and spent once guard", () => {
    expect(verdictOn(happened(...pages), promiseIds).occurred).toEqual(
      expect.arrayContaining([
        "approval-binds",
        "approve-once-executes-once",
        "decision-tells-truth",
        "asks-once",
        "matches-the-machine",
      ]),
    );
  });
});

describe("the guarded profile", () => {
  it("can be asked about every promise of consent, runs and rights", () => {
    const judge = createJudge(guarded, { policy: three, tool: "toolbox", capabilities: held });
    expect(judge.checked()).toEqual(
      expect.arrayContaining([
        "approval-binds",
        "denied-stays-denied",
        "approve-once-executes-once",
        "pause-consumes-nothing",
        "consent-survives",
        "decision-tells-truth",
        "asks-once",
        "authority-at-commit",
        "recovery-by-kind",
        "repair-is-bounded",
        "identity-from-context",
        "layers-do-not-average",
      ]),
    );
  });
});
