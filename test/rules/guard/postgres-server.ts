import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export type PostgresServer = {
  /** The folder of its socket, for `host`; it listens on no network. */
  readonly socket: string;
  readonly stop: () => Promise<void>;
};

const initdb = binary("initdb");
const postgres = binary("postgres");
export const hasPostgres = initdb !== undefined && postgres !== undefined;

/** Starts a server of its own in a temporary folder, with a superuser `tester`. */
export async function startPostgres(): Promise<PostgresServer> {
  if (initdb === undefined || postgres === undefined) throw new Error("no PostgreSQL here");
  const folder = mkdtempSync(join(tmpdir(), "guard-pg-"));
  const user = serverUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, HOME: folder, LC_ALL: "C" } };
  execFileSync(initdb, ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...as,
    stdio: "pipe",
  });
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=50"];
  const server = spawn(postgres, ["-D", data, ...settings.flatMap((each) => ["-c", each])], {
    ...as,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  const log: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    log.push(line);
    if (line.includes("ready to accept connections")) break;
  }
  if (server.exitCode !== null) throw new Error(`the server did not start:\n${log.join("\n")}`);
  server.stderr.resume();
  return {
    socket: folder,
    stop: async () => {
      // Waits for its clients to leave, so that none is told of the end by an error.
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function binary(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(":").concat("/usr/local/bin");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
