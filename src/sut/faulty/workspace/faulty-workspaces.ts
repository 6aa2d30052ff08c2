import { checksThenOpensByName } from "./checks-then-opens-by-name.js";
import { checksWithAPrefixTest } from "./checks-with-a-prefix-test.js";
import type { FaultyWorkspace } from "./faulty-workspace.js";
import { followsADanglingLink } from "./follows-a-dangling-link.js";
import { followsAHardLink } from "./follows-a-hard-link.js";
import { opensAFifo } from "./opens-a-fifo.js";

/** Every known bug of a workspace; each differs from the sound one in that bug alone. */
export const faultyWorkspaces: readonly FaultyWorkspace[] = [
  checksWithAPrefixTest,
  checksThenOpensByName,
  followsAHardLink,
  followsADanglingLink,
  opensAFifo,
];
