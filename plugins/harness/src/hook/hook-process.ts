/**
 * The hook that a harness runs before each of its calls. It hands what it is told to the kit that
 * started the harness, over a Unix socket, and prints the answer. It is one file and imports
 * nothing but Node: it also runs where nothing else of kit is. Whatever goes wrong, and where
 * nobody answers in time, it prints a denial by itself: a hook that fails would let the call
 * through.
 *
 * Run as `node hook-process.js <file>`; the file holds `{socket, token}` as JSON. With `tools`
 * behind it, it is the MCP server of the harness instead: it carries messages between its stdio and
 * the same socket, where kit answers them. With `egress` and a command behind it, it runs that
 * command in a container without a network, and is the proxy that the command finds there: it
 * carries each connection to the same socket, where kit decides which hosts are reached.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Shorter than what any harness gives its hooks. */
const ANSWER_WITHIN_MS = 5000;
/** Longest answer; it holds a decision, a sentence, and maybe the input with what people said. */
const MAX_ANSWER_CHARS = 64 * 1024 * 1024;

function finish(decision: string, reason: string, updatedInput?: unknown): never {
  const output = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      permissionDecisionReason: reason,
      ...(updatedInput === undefined ? {} : { updatedInput }),
    },
  };
  try {
    writeSync(1, `${JSON.stringify(output)}\n`);
  } catch {
    // What cannot be said is said by the exit code: 2 blocks the call.
    process.exit(2);
  }
  process.exit(0);
}

const refuse = (why: string): never => finish('deny', `kit did not allow this call: ${why}`);

function read(answer: string): never {
  try {
    const { decision, reason, input } = JSON.parse(answer) as { decision?: unknown; reason?: unknown; input?: unknown };
    if (decision === 'allow' || decision === 'deny' || decision === 'defer')
      return finish(decision, typeof reason === 'string' ? reason : '', decision === 'allow' ? input : undefined);
  } catch {
    // Told below: an answer that nobody can read allows nothing.
  }
  return refuse('its answer could not be read');
}

/** The socket lies beside the file. */
function socketAt(file: string): { readonly socket: string; readonly token: string } {
  const { socket, token } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string; token: string };
  return { socket: file.slice(0, file.lastIndexOf('/') + 1) + socket, token };
}

function ask(event: string): void {
  const [, , file = ''] = process.argv;
  const { socket: path, token } = socketAt(file);
  const socket = connect(path);
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('connect', () => socket.write(`${JSON.stringify({ token, event })}\n`));
  socket.on('data', (text: string) => {
    answer += text;
    if (answer.includes('\n')) read(answer.slice(0, answer.indexOf('\n')));
    if (answer.length > MAX_ANSWER_CHARS) refuse('its answer is too long');
  });
  socket.on('error', () => refuse('it does not listen any more'));
  socket.on('close', () => refuse('it went away without an answer'));
}

function runHook(): void {
  process.on('uncaughtException', () => refuse('the hook failed'));
  setTimeout(() => refuse(`it did not answer within ${ANSWER_WITHIN_MS / 1000} s`), ANSWER_WITHIN_MS);
  let event = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text: string) => {
    event += text;
  });
  process.stdin.on('end', () => ask(event));
}

/** Ends with either side: a harness sees that its server is gone, and kit that its program is. */
function forward(file: string): void {
  const { socket: path, token } = socketAt(file);
  const socket = connect(path);
  socket.on('connect', () => {
    socket.write(`${JSON.stringify({ token, tools: true })}\n`);
    process.stdin.pipe(socket);
    socket.pipe(process.stdout);
  });
  socket.on('error', () => process.exit(1));
  socket.on('close', () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
}

/** One connection to kit's proxy; a side may end and go on to listen. */
function carry(client: Socket, { socket: path, token }: ReturnType<typeof socketAt>): void {
  const kit = connect({ path, allowHalfOpen: true });
  for (const [from, to] of [
    [client, kit],
    [kit, client],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => {
      if (!from.readableEnded) to.destroy();
    });
  }
  kit.on('connect', () => {
    kit.write(`${JSON.stringify({ token, egress: true })}\n`);
    client.pipe(kit);
    kit.pipe(client);
  });
}

/** Ends as the command does, and hands on what it is told to end by. */
function standFor(child: ChildProcess, numbers: Readonly<Record<string, number>>): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    writeSync(2, `${error.message}\n`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (numbers[signal ?? ''] ?? 0)));
}

async function runBehindProxy(file: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const socket = socketAt(file);
  // The hook, which runs before each call, loads neither of them.
  const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
  const server = createServer({ allowHalfOpen: true }, (client) => carry(client, socket));
  server.listen(0, '127.0.0.1', () => {
    const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const here = 'localhost,127.0.0.1,::1';
    const env = { HTTPS_PROXY: proxy, https_proxy: proxy, NO_PROXY: here, no_proxy: here, NODE_USE_ENV_PROXY: '1' };
    standFor(spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }), constants.signals);
  });
}

const [, , socketFile = '', mode, ...command] = process.argv;
if (mode === 'tools') forward(socketFile);
else if (mode === 'egress') void runBehindProxy(socketFile, command);
else runHook();
