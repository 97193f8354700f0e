import { createInterface } from 'node:readline';
import { duplexPair } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { serveTools } from '../../../plugins/harness/src/gateway/serve-tools.js';

const MIB = 1024 * 1024;
const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n';

/** A program that is connected to kit's tools; there are none. */
function connected() {
  const [ours, program] = duplexPair({ highWaterMark: 80 * MIB });
  serveTools({ offered: [], call: async () => Promise.reject(new Error('nobody calls one')) }, ours);
  onTestFinished(() => void program.destroy());
  const answers = createInterface({ input: program })[Symbol.asyncIterator]();
  return { program, answer: async () => JSON.parse(String((await answers.next()).value)) as unknown };
}

it.each([
  ['no JSON', '{"jsonrpc": "2.0", ', null, -32_700],
  ['a list', '[]', null, -32_600],
  ['of another version', '{"id": 3, "method": "tools/list"}', 3, -32_600],
  ['longer than one may be', 'a'.repeat(64 * MIB + 1), null, -32_600],
])('answers the program a line that is %s, and reads on behind it', async (_name, line, id, code) => {
  const { program, answer } = connected();
  program.write(`${line}\n${PING}`);
  expect(await answer()).toMatchObject({ id, error: { code } });
  expect(await answer()).toMatchObject({ id: 7, result: {} });
});
