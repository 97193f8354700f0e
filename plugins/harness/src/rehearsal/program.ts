import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type RehearsedStep, readScript } from './script.js';
import { findSession, keepSession, type Session } from './sessions.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly cwd?: string; readonly sessionId?: string; readonly protocolVersion?: number };
  readonly result?: { readonly outcome?: { readonly optionId?: string } };
}

const at = process.argv.indexOf('--script');
const scriptText = at < 0 ? '' : (process.argv[at + 1] ?? '');
let session: Session = { id: '', done: 0 };
let cwd = process.cwd();

const write = (message: object): void => {
  writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};
const update = (one: object): void =>
  write({ method: 'session/update', params: { sessionId: session.id, update: one } });

const asked = new Map<number | string, (optionId: string | undefined) => void>();
/** The option that kit chose. */
function permission(toolCall: object): Promise<string | undefined> {
  const id = `ask-${asked.size}-${randomUUID()}`;
  const options = [
    { optionId: 'once', kind: 'allow_once', name: 'Allow once' },
    { optionId: 'reject', kind: 'reject_once', name: 'Reject' },
  ];
  return new Promise((done) => {
    asked.set(id, done);
    write({ id, method: 'session/request_permission', params: { sessionId: session.id, toolCall, options } });
  });
}

type Call = Exclude<RehearsedStep, { readonly kind: 'say' }>;

function carriedOut(call: Call): { readonly text: string; readonly ok: boolean } {
  try {
    if (call.kind === 'edit') {
      const path = resolve(cwd, call.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, call.content);
      return { text: `wrote ${call.path}`, ok: true };
    }
    const text = execFileSync('sh', ['-c', call.command], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return { text, ok: true };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), ok: false };
  }
}

async function carry(call: Call): Promise<void> {
  const toolCallId = `call_${randomUUID().slice(0, 8)}`;
  const title = call.kind === 'edit' ? call.path : call.command;
  const kind = call.kind === 'edit' ? 'edit' : 'execute';
  const rawInput = call.kind === 'edit' ? { path: call.path, content: call.content } : { command: call.command };
  const about = { toolCallId, kind, title, rawInput };
  update({ sessionUpdate: 'tool_call', ...about, status: 'pending' });
  const isAllowed = (await permission({ ...about, status: 'pending' })) === 'once';
  if (isAllowed) update({ sessionUpdate: 'tool_call_update', ...about, status: 'in_progress' });
  const { text, ok } = isAllowed ? carriedOut(call) : { text: 'permission was refused', ok: false };
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    title,
    status: ok ? 'completed' : 'failed',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
}

async function perform(id: Message['id']): Promise<void> {
  const steps = readScript(scriptText);
  for (const step of steps.slice(session.done)) {
    if (step.kind === 'say')
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.text } });
    else await carry(step);
    session = { ...session, done: session.done + 1 };
    keepSession(cwd, session);
  }
  write({ id, result: { stopReason: 'end_turn', usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } } });
}

async function take({ id, method, params, result }: Message): Promise<void> {
  if (method === undefined) {
    if (id === undefined) return;
    asked.get(id)?.(result?.outcome?.optionId);
    asked.delete(id);
    return;
  }
  switch (method) {
    case 'initialize':
      return write({
        id,
        result: {
          protocolVersion: params?.protocolVersion ?? 1,
          agentCapabilities: { loadSession: true },
          authMethods: [],
          agentInfo: { name: 'rehearsal', version: '1.0.0' },
        },
      });
    case 'session/new':
      cwd = params?.cwd ?? cwd;
      session = { id: `rehearsal-${randomUUID()}`, done: 0 };
      keepSession(cwd, session);
      return write({ id, result: { sessionId: session.id } });
    case 'session/load': {
      cwd = params?.cwd ?? cwd;
      const kept = findSession(cwd, params?.sessionId ?? '');
      if (kept === null) return write({ id, error: { code: -32_602, message: 'Session not found' } });
      session = kept;
      return write({ id, result: {} });
    }
    case 'session/prompt':
      return perform(id).catch((error: unknown) =>
        write({ id, error: { code: -32_603, message: error instanceof Error ? error.message : String(error) } }),
      );
    default:
      // A notification, or what this program does not offer.
      return id === undefined ? undefined : write({ id, error: { code: -32_601, message: `no method ${method}` } });
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void take(JSON.parse(line) as Message));
lines.on('close', () => process.exit(0));
