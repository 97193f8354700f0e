import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type RehearsedStep, readScript } from './script.js';

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

/** How far the session of a worktree has come. */
interface Session {
  readonly id: string;
  /** Steps that have come to their end. */
  readonly done: number;
}

/**
 * Where the session is kept: among git's own files of the worktree, so that it is not a change of
 * the work, and goes with it. null = the directory lies in no repository.
 */
function sessionFile(directory: string): string | null {
  const git = join(directory, '.git');
  if (existsSync(git)) {
    if (statSync(git).isDirectory()) return join(git, 'kit-rehearsal.json');
    const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
    return named === undefined ? null : join(resolve(directory, named), 'kit-rehearsal.json');
  }
  const above = dirname(directory);
  return above === directory ? null : sessionFile(above);
}

/** The session of this id; null = this worktree has none, or another. */
export function findSession(directory: string, id: string): Session | null {
  const file = sessionFile(directory);
  if (file === null || !existsSync(file)) return null;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Session;
  return kept.id === id ? kept : null;
}

export function keepSession(directory: string, session: Session): void {
  const file = sessionFile(directory);
  if (file !== null) writeFileSync(file, JSON.stringify(session));
}
