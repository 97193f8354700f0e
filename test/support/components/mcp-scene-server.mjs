// An MCP server over stdio whose tools write down that they were called: one JSON line each, in the
// file that its first argument names.
import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [notes = ''] = process.argv.slice(2);
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const note = (what) => appendFileSync(notes, `${JSON.stringify({ pid: process.pid, ...what })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const LOOK_MS = 20;

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const tool = (name, annotations) => ({ name, description: `The tool ${name}.`, inputSchema, annotations });
const TOOLS = [
  tool('look', { readOnlyHint: true }),
  tool('keep', { readOnlyHint: false, destructiveHint: false }),
  tool('wait-read', { readOnlyHint: true }),
  tool('wait-keep', { readOnlyHint: false, destructiveHint: false }),
  tool('wipe', { readOnlyHint: false, destructiveHint: true }),
  tool('leave', { readOnlyHint: false }),
  tool('leak', { readOnlyHint: false }),
  tool('split', { readOnlyHint: false }),
];

/** Tells how far it is, and answers once the file `<notes>.go` is there. */
function wait(id, { _meta }) {
  let done = 0;
  const timer = setInterval(() => {
    done += 1;
    if (_meta?.progressToken !== undefined)
      write({
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: done, message: 'still at it' },
      });
    if (!existsSync(`${notes}.go`)) return;
    clearInterval(timer);
    write({ id, result: text('waited') });
  }, LOOK_MS);
}

const CALLS = {
  look: (id, { arguments: input }) => write({ id, result: text(`saw ${input.text}`) }),
  keep: (id, { arguments: input }) => write({ id, result: text(`kept ${input.text}`) }),
  wipe: wait,
  'wait-read': wait,
  'wait-keep': wait,
  leave: (id) => {
    write({ id, result: text('bye') });
    process.stdin.pause();
    setTimeout(() => process.exit(0), LOOK_MS);
  },
  leak: (id) => {
    const secret = process.env.SECRET ?? 'none';
    process.stderr.write(`the key is ${secret}\n`);
    const structuredContent = { key: secret, coded: Buffer.from(secret).toString('base64') };
    write({ id, result: { ...text(`the key is ${secret}`), structuredContent } });
  },
  split: (id, { _meta }) => {
    const secret = process.env.SPLIT ?? 'none';
    const half = Math.floor(secret.length / 2);
    const parts = [`the first half is ${secret.slice(0, half)}`, secret.slice(half)];
    for (const part of parts) process.stderr.write(part);
    if (_meta?.progressToken !== undefined)
      write({
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: 1, message: `at it with ${secret}` },
      });
    write({
      id,
      result: {
        content: [...parts, `encoded ${encodeURIComponent(secret)}`].map((words) => ({ type: 'text', text: words })),
      },
    });
  },
};

function obey({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return write({
        id,
        result: {
          protocolVersion: '2025-06-18',
          serverInfo: { name: 'scene', version: '1' },
          capabilities: { tools: {} },
        },
      });
    case 'tools/list':
      return write({ id, result: { tools: TOOLS } });
    case 'tools/call':
      note({ did: params.name, input: params.arguments, step: params._meta?.['kit/step_id'] });
      return CALLS[params.name](id, params);
    case 'notifications/cancelled':
      return note({ did: 'cancelled' });
    default:
      return undefined;
  }
}

note({ did: 'started' });
createInterface({ input: process.stdin })
  .on('line', (line) => obey(JSON.parse(line)))
  .on('close', () => process.exit(0));
