// An MCP server over stdio that misbehaves as its first argument says. Everything else it does by
// the protocol.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'good', notes = '', second = ''] = process.argv.slice(2);
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const note = (word) => notes !== '' && appendFileSync(notes, `${word}\n`);
const noted = () => (notes === '' ? [] : readFileSync(notes, { encoding: 'utf8', flag: 'a+' }).split('\n'));
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const tool = (name, schema = {}) => ({ name, description: `does ${name}`, inputSchema: { type: 'object', ...schema } });
let changed = false;

function list(id, { cursor } = {}) {
  if (mode === 'pages')
    return write({
      id,
      result: cursor === undefined ? { tools: [tool('one')], nextCursor: 'x' } : { tools: [tool('two')] },
    });
  if (mode === 'endless-pages')
    return write({ id, result: { tools: [tool(`t${cursor ?? 0}`)], nextCursor: String(Number(cursor ?? 0) + 1) } });
  if (mode === 'no-list') return undefined;
  return write({ id, result: { tools: [tool('go', changed ? { properties: { more: { type: 'string' } } } : {})] } });
}

const CALLS = {
  // Asks without end, and reads no answer.
  floods: () => {
    process.stdin.pause();
    const pings = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`.repeat(500);
    const go = () => {
      while (process.stdout.write(pings));
    };
    process.stdout.on('drain', go);
    go();
  },
  large: (id) => write({ id, result: text('x'.repeat(50 * 1024 * 1024)) }),
  larger: (id) => write({ id, result: text('x'.repeat(70 * 1024 * 1024)) }),
  dies: () => {
    for (let n = 1; n <= 20; n++) process.stderr.write(`line ${n}\n`);
    process.stderr.write('out of cheese\n');
    process.exitCode = 7;
    setTimeout(() => process.exit(7), 20);
  },
  'dies-once': (id) => {
    write({ id, result: text(`life ${noted().filter((word) => word === 'started').length}`) });
    setTimeout(() => process.exit(0), 5);
  },
  twice: (id) => {
    write({ id, result: text('first') });
    write({ id, result: text('second') });
  },
  'unknown-id': (id) => {
    write({ id: 4711, result: text('for nobody') });
    write({ id: 'abc', result: text('for nobody') });
    write({ id: null, error: { code: -32_700, message: 'what?' } });
    write({ id, result: text('for you') });
  },
  'no-result': (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${id}}\n`),
  'no-content': (id) => write({ id, result: { content: 'words' } }),
  error: (id) => write({ id, error: { code: -32_602, message: 'no such thing' } }),
  silent: () => undefined,
  'noise-in-call': (id) => {
    process.stdout.write('a log line\n{"level":"info"}\n[1,2]\n\n');
    write({ id, result: text('after the noise') });
  },
  media: (id) => {
    const file = (name, more) => ({ type: 'resource', resource: { uri: `file:///${name}`, ...more } });
    const content = [
      { type: 'audio', mimeType: 'audio/wav', data: 'UklG' },
      file('a.zip', { mimeType: 'application/zip', blob: 'UEsDBA==' }),
      file('a.png', { mimeType: 'image/png', blob: 'iVBORw0=' }),
      file('a.txt', { text: 'its words' }),
    ];
    write({ id, result: { content } });
  },
  changes: (id) => {
    changed = true;
    write({ method: 'notifications/tools/list_changed' });
    write({ id, result: text('changed') });
  },
  asks: (id) => {
    write({
      id: 'q1',
      method: 'elicitation/create',
      params: { message: 'your key?', requestedSchema: { type: 'object', properties: {} } },
    });
    write({ id, result: text('asked') });
  },
  'closes-stdout': () => {
    process.stdout.end();
    setInterval(() => {}, 1000);
  },
  says: (id, params) =>
    write({
      id,
      result: text(JSON.stringify({ params, env: process.env, cwd: process.cwd(), argv: process.argv.slice(2) })),
    }),
};

function obey({ id, method, params }) {
  note(method ?? 'answer');
  if (method === 'initialize') {
    if (mode === 'no-initialize') return undefined;
    if (mode === 'initialize-nonsense') return write({ id, result: { hello: 'world' } });
    return write({
      id,
      result: {
        protocolVersion: '2025-06-18',
        serverInfo: { name: 'bad', version: '1' },
        capabilities: { tools: { listChanged: true } },
      },
    });
  }
  if (method === 'tools/list') return list(id, params);
  if (method === 'tools/call') {
    if (mode === 'progress') {
      for (const done of [1, 2])
        write({
          method: 'notifications/progress',
          params: { progressToken: params._meta.progressToken, progress: done, total: 2, message: `at ${done}` },
        });
      return write({ id, result: text('done') });
    }
    return (CALLS[params.arguments?.mode ?? mode] ?? CALLS.says)(id, params);
  }
  return undefined;
}

note('started');
if (mode === 'noise') process.stdout.write('Welcome to my server!\nListening on stdio...\n\u001b[32mready\u001b[0m\n');
if (mode === 'dies-at-start') {
  for (let n = 1; n <= 20; n++) process.stderr.write(`line ${n}\n`);
  process.stderr.write(`cannot find the module ${second}\n`);
  process.exit(3);
}
createInterface({ input: process.stdin })
  .on('line', (line) => obey(JSON.parse(line)))
  .on('close', () => {
    note('stdin ended');
    if (mode !== 'stays') process.exit(0);
  });
if (mode === 'stays') {
  process.on('SIGTERM', () => note('term'));
  setInterval(() => {}, 1000);
}
