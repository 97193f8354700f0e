import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../../plugins/models/src/wire/bounded-answer.js';
import { bad, callOptions, openaiProvider, request } from './helpers.js';

const TEXT = 'x'.repeat(60_000);
const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' };
const LINE = `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { content: TEXT } }] })}\n\n`;

let server: Server;
let closed: Promise<void>;
let sent: number;
/** Four times the bound, so that a reader without one comes to an end as well. */
const ALL = 4 * MAX_ANSWER_BYTES;

function pour(response: ServerResponse): void {
  while (sent < ALL && !response.destroyed) {
    sent += LINE.length;
    if (!response.write(LINE)) return void response.once('drain', () => pour(response));
  }
  response.end();
}

beforeEach(async () => {
  sent = 0;
  closed = new Promise((resolve) => {
    server = createServer((_request, response) => {
      response.once('close', () => resolve());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      pour(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

test.each([
  ['streamed', () => {}],
  ['whole', undefined],
])('an answer without end (%s) is not read on', async (_way, onText) => {
  const { port } = server.address() as AddressInfo;
  const provider = await openaiProvider({ base_url: `http://127.0.0.1:${port}/v1` });

  const failure = bad(await provider.generate(request(), callOptions(onText === undefined ? {} : { onText })));

  expect(failure).toMatchObject({ kind: 'bad_request', message: expect.stringContaining('larger than 32 MiB') });
  await closed;
  expect(sent).toBeLessThan(ALL);
});
