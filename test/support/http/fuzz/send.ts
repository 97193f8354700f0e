import { Agent, request } from 'node:http';
import type { FuzzRequest } from './requests.js';

/** What came back. */
export interface FuzzAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly ms: number;
}

/**
 * Twice as long as a request may ask a server to wait (`GET /events?wait=60`), and far above what
 * the slowest of the others needs on a busy machine: a stream of a run that waits for nobody ends
 * by itself.
 */
const HANGS_MS = 120_000;

/** Sends requests over connections that are kept. */
export function createSender(port: number): {
  readonly send: (asked: FuzzRequest) => Promise<FuzzAnswer>;
  readonly close: () => void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send = (asked: FuzzRequest): Promise<FuzzAnswer> =>
    new Promise((resolve, reject) => {
      const startedMs = performance.now();
      const { method, target, headers, body } = asked;
      const length = body === null ? {} : { 'content-length': String(body.length) };
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method,
          path: target,
          headers: { ...headers, ...length } as Record<string, string>,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const { statusCode = 0, headers: got } = answer;
            resolve({
              statusCode,
              headers: got,
              body: Buffer.concat(chunks).toString('utf8'),
              ms: performance.now() - startedMs,
            });
          });
        },
      );
      sent.setTimeout(HANGS_MS, () => sent.destroy(new Error(`no answer within ${HANGS_MS} ms`)));
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  return { send, close: () => agent.destroy() };
}
