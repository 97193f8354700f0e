/**
 * The hook that a harness runs before each of its calls. It hands what it is told to the kit that
 * started the harness, over a Unix socket, and prints the answer. It is one file and imports
 * nothing but Node: it also runs where nothing else of kit is. Whatever goes wrong, and where
 * nobody answers in time, it prints a denial by itself: a hook that fails would let the call
 * through.
 *
 * Run as `node hook-process.js <file>`; the file holds `{socket, token}` as JSON. With `tools`
 * behind it, it is the MCP server of the harness instead: it carries messages between its stdio and
 * the same socket, where kit answers them.
 */
import { readFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';

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

function ask(event: string): void {
  const [, , file = ''] = process.argv;
  const { socket: path, token } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string; token: string };
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
  const { socket: path, token } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string; token: string };
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

if (process.argv[3] === 'tools') forward(process.argv[2] ?? '');
else runHook();
