#!/usr/bin/env node
// Plays Codex, headless (`codex exec --json`): its flags, its stream of JSON lines, its PreToolUse
// hooks, its sessions on disk, as test/fixtures/harness/codex-0.169.0-*.jsonl has them. The model
// is a script in the first prompt: `<<script>> [turn, ...] <<end>>`, a turn being a list of `{say}`
// and `{call: tool of the hook, input, workdir?, fault?}`. A call that has no result is made again
// where the session that goes on is told to.
//
// Faults of a call: no-hook (the hook is not run), hook-twice, answer-lost (what the hook said is
// not heard, and the call is made), other-input (made again with `then`), twice (made again twice),
// other-session (a resume goes on with another one), deaf (what waits is forgotten, and the turn
// goes on).
// Faults of a turn, as `{fault}`: die (SIGKILL to itself), garbage, exit (0 without an end), fail
// (the turn fails), two-ends, stderr, background (a process is left behind), no-newline, long-line,
// stays (SIGTERM is ignored).
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { askServer, runHook } from './fake-claude-calls.mjs';

const argv = process.argv.slice(2);
if (argv[0] !== 'exec') {
  console.log('codex-cli 0.169.0 (Fake Codex)');
  process.exit(0);
}
const settings = argv.flatMap((word, at) => (argv[at - 1] === '-c' ? [parse(word)] : []));
const settingOf = (...path) =>
  settings
    .map((one) => path.reduce((value, key) => value?.[key], one))
    .filter((value) => value !== undefined)
    .at(-1);
const isTrusted = argv.includes('--dangerously-bypass-hook-trust') && settingOf('features', 'hooks') !== false;
const hooks = { hooks: isTrusted ? { PreToolUse: settingOf('hooks', 'PreToolUse') ?? [] } : {} };
const server = settingOf('mcp_servers', 'kit', 'command');
const kit = server === undefined ? null : [server, ...settingOf('mcp_servers', 'kit', 'args')];
const resumed = argv.includes('resume') ? argv[argv.indexOf('--json') + 1] : undefined;
const prompt = readFileSync(0, 'utf8');
let session = resumed ?? randomUUID();
const folder = join(process.env.CODEX_HOME, 'sessions');
const transcript = join(folder, `${session}.jsonl`);

const out = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const keep = (record) => appendFileSync(transcript, `${JSON.stringify(record)}\n`);
const records = () =>
  existsSync(transcript)
    ? readFileSync(transcript, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

let items = 0;
const nextItem = () => `item_${items++}`;
const warn = (message) => out({ type: 'item.completed', item: { id: nextItem(), type: 'error', message } });

/** What its stream says of a call, and what comes of it. */
function madeOf({ name, input, workdir }) {
  const cwd = workdir ?? process.cwd();
  if (name === 'Bash') {
    const ran = spawnSync('sh', ['-c', input.command], { cwd, encoding: 'utf8' });
    return {
      begun: {
        type: 'command_execution',
        command: `/bin/bash -lc '${input.command}'`,
        aggregated_output: '',
        exit_code: null,
      },
      ended: {
        aggregated_output: `${ran.stdout}${ran.stderr}`,
        exit_code: ran.status,
        status: ran.status === 0 ? 'completed' : 'failed',
      },
    };
  }
  if (name === 'apply_patch') {
    const changes = [...input.command.matchAll(/^\*\*\* Add File: (.+)\n((?:\+.*\n)*)/gm)].map(([, path, lines]) => {
      mkdirSync(dirname(resolve(cwd, path)), { recursive: true });
      writeFileSync(resolve(cwd, path), lines.replace(/^\+/gm, ''));
      return { path: resolve(cwd, path), kind: 'add' };
    });
    return { begun: { type: 'file_change', changes }, ended: { status: 'completed' } };
  }
  const tool = name.replace(/^mcp__kit__/, '');
  const begun = { type: 'mcp_tool_call', server: 'kit', tool, arguments: input, result: null, error: null };
  const { content, isError, error } = askServer(kit, 'call', tool, JSON.stringify(input));
  const failure = error ?? (isError ? { message: content.map(({ text }) => text ?? '').join('') } : null);
  return {
    begun,
    ended:
      failure === null
        ? { result: { content, structured_content: null }, status: 'completed' }
        : { error: { message: failure.message }, status: 'failed' },
  };
}

function make(call) {
  const id = nextItem();
  const { begun, ended } = madeOf(call);
  out({ type: 'item.started', item: { id, ...begun, status: 'in_progress' } });
  out({ type: 'item.completed', item: { id, ...begun, ...ended } });
}

const about = (call) => ({
  settings: hooks,
  session,
  transcript,
  mode: 'bypassPermissions',
  turn: 't',
  cwd: call.workdir,
});

/** One call: its hook is asked, and what fails to say no lets it through. */
function carry(call) {
  // kit ends the session once the hook has spoken: the call is made and told before that.
  if (call.fault === 'answer-lost') process.on('SIGTERM', () => {});
  const first = runHook(call, about(call));
  const { decision, reason } = call.fault === 'hook-twice' ? runHook(call, about(call)) : first;
  if (decision === 'deny' && call.fault !== 'answer-lost') {
    process.stderr.write(`ERROR codex_core::tools::router: error=Command blocked by PreToolUse hook: ${reason}\n`);
    // Its model is told to wait: nothing comes of it before kit ends the session.
    if (reason.startsWith('A person has to decide') && call.fault !== 'deaf') execFileSync('sleep', ['20']);
  } else make(call);
  if (call.fault === 'answer-lost') process.removeAllListeners('SIGTERM');
  keep({ type: 'result_of', id: call.id });
}

function fault(kind) {
  if (kind === 'die') process.kill(process.pid, 'SIGKILL');
  if (kind === 'garbage') writeSync(1, 'this is not JSON\n{"type":\n');
  if (kind === 'exit') process.exit(0);
  if (kind === 'stderr') for (let at = 0; at < 64; at++) writeSync(2, 'e'.repeat(1 << 16));
  if (kind === 'background') spawnSync('sh', ['-c', 'sleep 600 >/dev/null 2>&1 &']);
  if (kind === 'long-line') writeSync(1, 'x'.repeat(17 * 1024 * 1024));
  if (kind === 'stays') process.on('SIGTERM', () => {});
  if (kind === 'fail') {
    out({ type: 'error', message: 'the model refuses' });
    out({ type: 'turn.failed', error: { message: 'the model refuses' } });
    process.exit(1);
  }
}

const turnsDone = () => records().filter(({ type }) => type === 'turn').length;
const usage = () => ({
  input_tokens: 100 * turnsDone(),
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 20 * turnsDone(),
  reasoning_output_tokens: 0,
});

function goOn(script) {
  for (;;) {
    const number = turnsDone();
    const turn = script[number] ?? [{ say: 'Final answer from the fake.' }];
    keep({ type: 'turn', number });
    for (const item of turn) {
      if (item.say !== undefined)
        out({ type: 'item.completed', item: { id: nextItem(), type: 'agent_message', text: item.say } });
      if (item.fault !== undefined && item.call === undefined) fault(item.fault);
    }
    const calls = turn.flatMap((item, at) =>
      item.call === undefined
        ? []
        : [{ ...item, name: item.call, input: item.input ?? {}, id: item.id ?? `call_${number}_${at}` }],
    );
    for (const call of calls) keep({ type: 'call', call });
    for (const call of calls) carry(call);
    if (calls.length === 0) return turn;
  }
}

mkdirSync(folder, { recursive: true });
const before = records();
if (resumed === undefined) {
  const script = /<<script>>([\s\S]*?)<<end>>/.exec(prompt);
  keep({ type: 'prompt', script: script === null ? [] : JSON.parse(script[1]) });
} else if (before.length === 0) {
  console.error(`Error: no rollout found for thread id ${session}`);
  process.exit(1);
}
const isEnded = ({ id }) => before.some((one) => one.type === 'result_of' && one.id === id);
const open = before.filter(({ type, call }) => type === 'call' && !isEnded(call)).map(({ call }) => call);
const [again] = open;
if (again?.fault === 'other-session') session = randomUUID();
out({ type: 'thread.started', thread_id: session });
if (isTrusted)
  warn('`--dangerously-bypass-hook-trust` is enabled. Enabled hooks may run without review for this invocation.');
out({ type: 'turn.started' });
for (const call of open) keep({ type: 'result_of', id: call.id });
if (again !== undefined && prompt.includes('Make exactly this call again')) {
  const call = again.fault === 'other-input' ? { ...again, input: again.then } : again;
  for (const time of again.fault === 'twice' ? [1, 2] : [1]) {
    const made = { ...call, id: `call_again_${time}_${basename(transcript).length}_${before.length}` };
    keep({ type: 'call', call: { ...made, fault: undefined } });
    carry({ ...made, fault: undefined });
  }
}
const last = goOn(records()[0].script);
const end = { type: 'turn.completed', usage: usage() };
if (last.some(({ fault: kind }) => kind === 'two-ends')) out(end);
if (last.some(({ fault: kind }) => kind === 'no-newline')) writeSync(1, JSON.stringify(end));
else out(end);
