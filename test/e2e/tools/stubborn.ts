/** What a program does first that ignores every signal and the end of its stdin. */
const STUBBORN = `
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE', 'SIGQUIT', 'SIGUSR2']) process.on(signal, () => {});
process.stdout.on('error', () => {});
process.stdin.on('error', () => {}).resume();
setInterval(() => {}, 1000);
`;

/** A tool server that hangs when it is told to. */
export const STUBBORN_SERVER = `${STUBBORN}
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
let rest = '';
process.stdin.on('data', (bytes) => {
  const lines = (rest + bytes).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize')
      say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
    if (method === 'tools/list') say(id, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call' && params.arguments.text !== 'hang')
      say(id, { content: [{ type: 'text', text: 'user ' + process.getuid() }] });
  }
});
`;

/** A harness that begins, and ends only when its task is not to hang; it never leaves by itself. */
export const STUBBORN_HARNESS = `${STUBBORN}
process.stdout.write(JSON.stringify({ type: 'begun' }) + '\\n');
if (process.argv[2] !== 'hang') {
  process.stdout.write(JSON.stringify({ type: 'done', text: 'caps ' + capabilities() }) + '\\n');
  setTimeout(() => process.exit(0), 50);
}
function capabilities() {
  return /CapEff:\\t(.*)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))[1];
}
`;
