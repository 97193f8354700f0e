import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { serveClient } from '../../../../plugins/protocols/src/mcp/stdio/serve-client.js';
import type { StdioUses } from '../../../../plugins/protocols/src/mcp/stdio/stdio-backend.js';

const MIB = 1024 * 1024;

/** A client without topologies: of the use cases only the list of what is offered is asked. */
async function connected() {
  const stdin = new PassThrough({ highWaterMark: 80 * MIB });
  const stdout = new PassThrough();
  const printed: string[] = [];
  const offered = {
    ...{ id: 'w', name: 'W', topologies: [], maxConcurrent: 1 },
    server: { mcp: { waitMs: 1 }, publicUrl: null },
  };
  const served = await serveClient({
    app: { info: { offered: async () => offered } } as unknown as StdioUses,
    ...{ workspaces: ['/w'], globs: [], identity: 'dana', version: '0.0.0', stdin, stdout },
    printLine: (line) => printed.push(line),
  });
  onTestFinished(() => served.stop());
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return { stdin, printed, served, answer: async () => JSON.parse(String((await answers.next()).value)) as unknown };
}

const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n';
const errorOf = (id: string | number | null, code: number, message: string) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message: expect.stringContaining(message) },
});

it('answers a message that is larger than one may be, and reads on behind it', async () => {
  const { stdin, printed, answer } = await connected();

  for (let sent = 0; sent < 66; sent += 1) stdin.write(Buffer.alloc(MIB, 'a'));
  expect(await answer()).toEqual(errorOf(null, -32_600, 'larger than the 64 MiB'));
  stdin.write(`aaa\n${PING}`);
  expect(await answer()).toMatchObject({ id: 7 });
  expect(printed).toHaveLength(1);
});

it.each([
  ['no JSON', '{"jsonrpc": "2.0", ', null, -32_700, 'not JSON'],
  ['a list', '[]', null, -32_600, 'one object'],
  ['a text', '"hello"', null, -32_600, 'one object'],
  ['another version', '{"id": 3, "method": "ping"}', 3, -32_600, '`jsonrpc`'],
  ['no method', '{"jsonrpc": "2.0", "id": "a"}', 'a', -32_600, '`method`'],
  ['an id that is none', '{"jsonrpc": "2.0", "id": {}, "method": "ping"}', null, -32_600, '`id`'],
  ['params that are none', '{"jsonrpc": "2.0", "id": 4, "method": "ping", "params": 5}', 4, -32_600, '`params`'],
  ['a member that is none', '{"jsonrpc": "2.0", "id": 6, "method": "ping", "x": 1}', 6, -32_600, 'a member'],
  ['a _meta that is none', '{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {"_meta": 5}}', 8, -32_600, 'form'],
  [
    'brackets without end',
    `{"jsonrpc": "2.0", "id": 5, "x": ${'['.repeat(500)}${']'.repeat(500)}}`,
    5,
    -32_600,
    'deep',
  ],
])('answers a line that is %s, and reads on behind it', async (_name, line, id, code, message) => {
  const { stdin, answer } = await connected();
  stdin.write(`${line}\n\r\n${PING}`);
  expect(await answer()).toEqual(errorOf(id, code, message));
  expect(await answer()).toMatchObject({ id: 7 });
});

it('parses each line once', async () => {
  const { stdin, answer } = await connected();
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => void parse.mockRestore());
  stdin.write(PING);
  // The one call beside it is of this test, for the answer.
  await answer();
  expect(parse.mock.calls.filter(([text]) => text.includes('"ping"'))).toHaveLength(1);
});

it('answers the last line of a client that goes, where it is cut off', async () => {
  const { stdin, served, answer } = await connected();
  stdin.end('{"jsonrpc": "2.');
  expect(await answer()).toEqual(errorOf(null, -32_700, 'not JSON'));
  await served.ended;
});
