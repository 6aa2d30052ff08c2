import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

export type NotificationService = {
  readonly url: string;
  /** What was taken so far, in order. */
  readonly received: () => readonly unknown[];
  readonly close: () => Promise<void>;
};

/** A service on this machine that takes notifications by POST, as JSON, and answers 202; nothing has a key. */
export async function openNotificationService(): Promise<NotificationService> {
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        received.push(body);
        response.writeHead(202).end();
      },
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    received: () => received,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** Sends over HTTP; rejects if the service cannot be reached or does not take it. */
export function notifyOver(url: string): (note: { service: string; message: string }) => Promise<void> {
  return async (note) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(note),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the notification service answered ${answer.status}`);
  };
}
