import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutorGate, GateAnswer } from '@kit-run/kit/plugin';
import { type CallPlace, classify } from './classify.js';
import { type Announced, hookEventOf, settingsOf } from './claude-hook.js';
import type { AdapterGate } from './gate-spec.js';

/** Longest event of a hook that is taken: the inputs of calls may hold whole files. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/** The gate of one launch, open while its program runs. */
export interface OpenGate {
  /** Settings file that makes the program ask. */
  readonly settings: string;
  /** What kit answered to each call that the program announced, by its id. */
  readonly answers: ReadonlyMap<string, GateAnswer['verdict']>;
  /** Asks about a call that the program announced in its stream. Never rejects. */
  ask(call: Announced): Promise<GateAnswer>;
  /** Notes a call that was refused without having been asked about. */
  refused(callId: string): void;
  close(): Promise<void>;
}

export interface AskerFacts {
  readonly spec: AdapterGate;
  readonly gate: ExecutorGate;
  readonly place: CallPlace;
  /** The session that goes on: people decided about it, and about no other; null = it begins. */
  readonly session: string | null;
}

export interface GateFacts extends AskerFacts {
  /** The Node that runs the hook, and the hook's own file. */
  readonly node: string;
  readonly hook: string;
}

/** Asks kit about calls, each with what the tables of its adapter say of it. */
function createAsker({ spec, gate, place, session }: AskerFacts): Pick<OpenGate, 'ask' | 'answers' | 'refused'> {
  const answers = new Map<string, GateAnswer['verdict']>();
  return {
    answers,
    refused: (callId) => answers.set(callId, 'deny'),
    ask: async ({ session: of, ...call }) => {
      if (session !== null && of !== undefined && of !== session) return OTHER_SESSION;
      const facts = await classify(spec, call, place).catch(() => null);
      const answer = facts === null ? UNREADABLE : await gate.ask({ ...call, ...facts });
      answers.set(call.callId, answer.verdict);
      return answer;
    },
  };
}

/** The gate of a program that asks in its stream: nothing is opened for it. */
export const openStreamGate = (facts: AskerFacts): OpenGate => ({
  ...createAsker(facts),
  settings: '',
  close: async () => {},
});

/**
 * Opens the gate of one launch: a socket in a private directory, a token that nobody has but the
 * hook of this launch, and the settings that name the hook.
 */
export async function openGate(facts: GateFacts): Promise<OpenGate> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-gate-'));
  const path = join(directory, 's');
  const token = randomBytes(32).toString('hex');
  const asker = createAsker(facts);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A hook that goes away has told its program no already.
    socket.on('error', () => {});
    void readLine(socket).then(async (line) => {
      const answer = await answerTo(asker, { line, token });
      const { verdict: decision } = answer;
      const reason = answer.verdict === 'deny' ? answer.reason : '';
      const input = answer.verdict === 'allow' ? answer.input : undefined;
      socket.end(`${JSON.stringify({ decision, reason, input })}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  const file = join(directory, 'hook.json');
  const settings = join(directory, 'settings.json');
  await writeFile(file, JSON.stringify({ socket: path, token }), { mode: 0o600 });
  await writeFile(settings, JSON.stringify(settingsOf([facts.node, facts.hook, file])), { mode: 0o600 });
  return {
    ...asker,
    settings,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The first line of a connection; '' where there is none, or it is too long. */
function readLine(socket: Socket): Promise<string> {
  socket.setEncoding('utf8');
  return new Promise((resolve) => {
    const parts: string[] = [];
    let length = 0;
    socket.on('data', (text: string) => {
      const end = text.indexOf('\n');
      parts.push(end < 0 ? text : text.slice(0, end));
      length += text.length;
      if (end >= 0) resolve(parts.join(''));
      else if (length > MAX_EVENT_CHARS) resolve('');
    });
    socket.on('close', () => resolve(''));
  });
}

const OTHER_SESSION: GateAnswer = {
  verdict: 'deny',
  reason: 'it is a call of another session than the one that goes on',
};
const UNREADABLE: GateAnswer = { verdict: 'deny', reason: 'what the hook was told could not be read' };

async function answerTo(
  asker: Pick<OpenGate, 'ask'>,
  from: { readonly line: string; readonly token: string },
): Promise<GateAnswer> {
  try {
    const { token, event } = JSON.parse(from.line) as { readonly token?: unknown; readonly event?: unknown };
    if (typeof token !== 'string' || typeof event !== 'string' || !isSame(token, from.token)) return UNREADABLE;
    const call = hookEventOf(event);
    return call === null ? UNREADABLE : await asker.ask(call);
  } catch {
    return UNREADABLE;
  }
}

function isSame(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
