import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = new URL("../../src/cli.ts", import.meta.url).pathname;

async function call(...argv: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  try {
    const told = await promisify(execFile)(process.execPath, ["--import", "tsx", program, ...argv]);
    return { code: 0, ...told };
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error && "stdout" in error && "stderr" in error))
      throw error;
    return { code: error.code, stdout: String(error.stdout), stderr: String(error.stderr) };
  }
}

describe("the process", () => {
  it("writes to its streams and says to the shell how it went", async () => {
    const [version, mistake] = await Promise.all([call("--version"), call("run", "--sead", "1")]);
    expect(version).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
      stderr: "",
    });
    expect(mistake).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("did you mean --seed?"),
    });
  });
});
