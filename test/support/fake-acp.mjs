#!/usr/bin/env node
// Plays an agent that speaks the Agent Client Protocol, as test/fixtures/harness/opencode-*-acp-*
// has it: its messages, its permission requests, sessions on disk that can be loaded. The model is
// a script in the first prompt: `<<script>> [turn, ...] <<end>>`, a turn being a list of `{say}`
// and `{call: kind, input, fault?}`. A call without a result is asked for again after a load, under
// another id.
//
// Faults of a call: unasked (carried out without asking), no-input (the request does not say what
// would be carried out), twice (asked and carried out twice), other-input (asked for with `then`
// after a load), no-options. With `lies` no server is asked, whatever its title.
// Faults of a turn, as `{fault}`: die, garbage, exit, silent-reject (a
// refusal ends the turn), error (the prompt is answered with an error).
// Arguments: --no-load (loads no sessions), --lost (load fails), --auth (wants a login),
// --version-9, --stays (does not go when stdin is closed).
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { askServer } from './fake-claude-calls.mjs';

const has = (flag) => process.argv.includes(flag);
if (has('--version')) {
  console.log('1.18.33 (Fake ACP)');
  process.exit(0);
}
const folder = join(process.env.HOME, '.fake-acp');
mkdirSync(folder, { recursive: true });
let session = '';
let cwd = process.cwd();
let costs = 0;
let servers = [];
const file = () => join(folder, `${session}.jsonl`);
const keep = (record) => appendFileSync(file(), `${JSON.stringify(record)}\n`);
const records = () =>
  existsSync(file())
    ? readFileSync(file(), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

const write = (message) => writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (one) => write({ method: 'session/update', params: { sessionId: session, update: one } });
const pending = new Map();
let nextId = 0;
const ask = (params) =>
  new Promise((done) => {
    const id = nextId++;
    pending.set(id, done);
    write({ id, method: 'session/request_permission', params: { sessionId: session, ...params } });
  });

const OPTIONS = [
  { optionId: 'once', kind: 'allow_once', name: 'Allow once' },
  { optionId: 'always', kind: 'allow_always', name: 'Always allow' },
  { optionId: 'reject', kind: 'reject_once', name: 'Reject' },
];

function make({ kind, input, title, lies }) {
  try {
    const server = kind === 'other' && !lies ? serverOf(title) : undefined;
    if (server !== undefined) {
      const tool = title.slice(server.name.length + 1);
      const answer = askServer([server.command, ...server.args], 'call', tool, JSON.stringify(input));
      return { text: answer.content.map(({ text }) => text ?? '').join(''), ok: answer.isError !== true };
    }
    if (kind === 'execute')
      return {
        text: execFileSync('sh', ['-c', input.command], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
        ok: true,
      };
    if (kind === 'edit') {
      const path = resolve(cwd, input.filepath);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, input.content ?? '');
      return { text: 'Wrote file successfully.', ok: true };
    }
    if (kind === 'read') return { text: readFileSync(resolve(cwd, input.filePath), 'utf8'), ok: true };
    return { text: `${kind} done`, ok: true };
  } catch (error) {
    return { text: error.message, ok: false };
  }
}

/** Servers of a file that its command line names, as Qwen Code and Copilot take it. */
function ofFlags() {
  const at = process.argv.findIndex((word) => word === '--mcp-config' || word === '--additional-mcp-config');
  if (at < 0) return [];
  const { mcpServers } = JSON.parse(readFileSync(process.argv[at + 1].replace(/^@/, ''), 'utf8'));
  return Object.entries(mcpServers).map(([name, one]) => ({ name, ...one }));
}

/** Names of tools of the servers that it was told of, and whose they are: `kit_note`. */
const serverOf = (title) => servers.find(({ name }) => title.startsWith(`${name}_`) || title.startsWith(`${name}-`));

const ended = (id, call, { text, ok }) =>
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: id,
    status: ok ? 'completed' : 'failed',
    title: call.title,
    content: [{ type: 'content', content: { type: 'text', text } }],
    rawOutput: { output: text, metadata: { output: text, exit: ok ? 0 : 1, truncated: false } },
  });

/** True where the session goes on after the call. */
async function carry(given, isRepeat) {
  const input = given.fault === 'other-input' && isRepeat ? given.then : (given.input ?? {});
  const id = `call_${randomUUID().slice(0, 8)}`;
  const call = { kind: given.call, input, title: given.title ?? Object.values(input).join(' '), lies: given.lies };
  const about = { toolCallId: id, kind: call.kind, title: call.title };
  const told = given.toolName === undefined ? {} : { _meta: { toolName: given.toolName } };
  const first = { sessionUpdate: 'tool_call', ...about, ...told, ...(told._meta ? { title: 'words' } : {}) };
  update({ ...first, status: 'pending', locations: [{ path: cwd }], rawInput: { cwd } });
  if (given.fault === 'unasked') {
    update({ sessionUpdate: 'tool_call_update', ...about, status: 'in_progress', locations: [], rawInput: input });
    ended(id, call, make(call));
    return true;
  }
  const toolCall = { ...about, status: 'pending', locations: [] };
  for (let count = 0; count < (given.fault === 'twice' ? 2 : 1); count += 1) {
    const { outcome } = await ask({
      toolCall: given.fault === 'no-input' ? toolCall : { ...toolCall, rawInput: input },
      options: given.fault === 'no-options' ? [] : OPTIONS,
    });
    if (outcome.optionId !== 'once') {
      ended(id, call, { text: 'The user rejected permission to use this specific tool call.', ok: false });
      return given.fault !== 'silent-reject';
    }
    update({ sessionUpdate: 'tool_call_update', ...about, status: 'in_progress', locations: [], rawInput: input });
    ended(id, call, make(call));
  }
  return true;
}

function fault(kind) {
  if (kind === 'die') process.kill(process.pid, 'SIGKILL');
  if (kind === 'garbage') writeSync(1, 'this is not JSON\n{"jsonrpc":\n[1]\n{"jsonrpc":"2.0","id":77,"result":{}}\n');
  if (kind === 'exit') process.exit(0);
  if (kind === 'stderr') writeSync(2, `${'x'.repeat(1000)}\n`.repeat(2000));
  if (kind === 'long-line') write({ method: 'session/update', params: { text: 'x'.repeat(17 * 1024 * 1024) } });
  if (kind === 'serve') write({ id: 900, method: 'fs/read_text_file', params: { path: '/etc/passwd' } });
}

async function prompt(id, text) {
  const script = /<<script>>([\s\S]*?)<<end>>/.exec(text);
  if (records().length === 0) keep({ type: 'script', script: script === null ? [] : JSON.parse(script[1]) });
  keep({ type: 'prompt', text });
  const turns = records()[0].script;
  for (;;) {
    const done = records().filter((record) => record.type === 'done').length;
    const turn = turns[done] ?? [{ say: 'Final answer from the fake.' }];
    const isRepeat = records().some((record) => record.type === 'begun' && record.number === done);
    keep({ type: 'begun', number: done });
    costs += 0.25;
    for (const item of turn) {
      if (item.say !== undefined)
        for (const piece of [item.say.slice(0, 3), item.say.slice(3)])
          update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: piece } });
      if (item.fault === 'error') return write({ id, error: { code: -32_603, message: 'Internal error' } });
      if (item.fault !== undefined && item.call === undefined) fault(item.fault);
    }
    let goesOn = true;
    for (const call of turn.filter((item) => item.call !== undefined)) goesOn = (await carry(call, isRepeat)) && goesOn;
    keep({ type: 'done', number: done });
    update({ sessionUpdate: 'usage_update', used: 100, size: 100_000, cost: { amount: costs, currency: 'USD' } });
    if (goesOn && turn.some((item) => item.call !== undefined)) continue;
    const stopReason = turn.find((item) => item.stop !== undefined)?.stop ?? 'end_turn';
    return write({
      id,
      result: { stopReason, usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 }, _meta: {} },
    });
  }
}

function load(id, params) {
  session = params.sessionId;
  cwd = params.cwd;
  servers = [...params.mcpServers, ...ofFlags()];
  if (has('--lost') || !existsSync(file()))
    return write({ id, error: { code: -32_602, message: 'Invalid params', data: { details: 'Session not found' } } });
  for (const record of records())
    if (record.type === 'prompt')
      update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: record.text } });
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'call_old',
    kind: 'execute',
    title: 'old',
    status: 'completed',
    rawInput: { command: 'rm -rf /' },
  });
  costs = 0.25 * records().filter((record) => record.type === 'begun').length;
  update({ sessionUpdate: 'usage_update', used: 100, size: 100_000, cost: { amount: costs, currency: 'USD' } });
  return write({ id, result: {} });
}

function take({ id, method, params, result }) {
  if (method === undefined) {
    pending.get(id)?.(result ?? { outcome: { outcome: 'cancelled' } });
    pending.delete(id);
    return undefined;
  }
  switch (method) {
    case 'initialize':
      return write({
        id,
        result: {
          protocolVersion: has('--version-9') ? 9 : params.protocolVersion,
          agentCapabilities: { loadSession: !has('--no-load'), mcpCapabilities: { http: true, sse: true } },
          authMethods: [],
          agentInfo: { name: 'FakeACP', version: '1.18.33' },
        },
      });
    case 'session/new':
      if (has('--auth')) return write({ id, error: { code: -32_000, message: 'Authentication required' } });
      session = `ses_${randomUUID()}`;
      cwd = params.cwd;
      servers = [...params.mcpServers, ...ofFlags()];
      if (process.env.FAKE_ACP_SERVERS) writeFileSync(process.env.FAKE_ACP_SERVERS, JSON.stringify(params.mcpServers));
      return write({
        id,
        result: { sessionId: session, models: { currentModelId: 'mock/fake-1', availableModels: [] } },
      });
    case 'session/load':
      return load(id, params);
    case 'session/prompt':
      return prompt(id, params.prompt.map((block) => block.text).join(''));
    default:
      return undefined;
  }
}

const input = createInterface({ input: process.stdin });
input.on('line', (line) => void take(JSON.parse(line)));
input.on('close', () => {
  if (has('--stays')) setInterval(() => {}, 1000);
  else process.exit(0);
});
