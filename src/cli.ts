#!/usr/bin/env node
import type { Output } from "./cli/io.js";
import { main } from "./cli/main.js";

/** Signals that end the program early, with what it then says to the shell. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // The first asks for an orderly end with a report of what is known; the second does not wait for it.
    if (interruption.signal.aborted) process.exit(signals[name]);
    interruption.abort(name);
  });
}

const code = await main(process.argv.slice(2), {
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
  now: () => new Date(),
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(code);

/** A stream whose reader may go away, as in `commitpoint run | head`: the work goes on, and its verdict counts. */
function output(stream: NodeJS.WriteStream): Output {
  let isOpen = true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isOpen = false;
  });
  return {
    write: (text) => {
      if (isOpen) stream.write(text);
    },
    isTty: stream.isTTY === true,
    get columns() {
      // A terminal that does not know its size says 0.
      return stream.columns === 0 ? undefined : stream.columns;
    },
  };
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
