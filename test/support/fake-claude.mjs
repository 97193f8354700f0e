#!/usr/bin/env node
// Plays Claude Code, headless: its flags, its stream of JSON lines, its PreToolUse hooks, its
// transcript on disk, as test/fixtures/harness/claude-2.1.*.jsonl has them. The model is a script
// in the first prompt: `<<script>> [turn, ...] <<end>>`, a turn being a list of `{say}` and
// `{call: name, input, id?, agent?, fault?}`. The turn that comes is told by the transcript, so a
// session that is resumed goes on where it was.
//
// Faults of a call: no-hook (the hook is not run), hook-twice, other-input (carried out with
// `then`), other-session (a resume goes on with another one), edited (a resume finds `becomes` in
// its transcript), answer-lost (what the hook said is not heard), no-result (a denial is not told).
// Faults of a turn, as `{fault}`: die (SIGKILL to itself), garbage, exit (0 without a result), lost
// (a deferred call is forgotten and the turn goes on), background (a process is left behind).
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isGone, make, runHook, serversOf } from './fake-claude-calls.mjs';

const argv = process.argv.slice(2);
const flag = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
if (argv[0] !== '-p' && !argv.includes('--print')) {
  console.log('2.1.330 (Fake Claude Code)');
  process.exit(0);
}
const valued = [
  '--output-format',
  '--input-format',
  '--permission-prompt-tool',
  '--permission-mode',
  '--settings',
  '--setting-sources',
  '--resume',
  '--model',
  '--max-turns',
  '--max-budget-usd',
  '--allowedTools',
  '--session-id',
  '--mcp-config',
];
const words = argv.slice(1).filter((word, at, all) => !word.startsWith('--') && !valued.includes(all[at - 1]));
const given = (words[0] ?? readFileSync(0, 'utf8')).trim();
const prompt = flag('--input-format') === 'stream-json' && given !== '' ? JSON.parse(given).message.content : given;
const mode = flag('--permission-mode') ?? 'default';
const allowed = argv.flatMap((word, at) => (argv[at - 1] === '--allowedTools' ? word.split(/[ ,]+/) : []));
const servers = serversOf(flag('--mcp-config'));
const settings = flag('--settings') === undefined ? {} : JSON.parse(readFileSync(flag('--settings'), 'utf8'));
let session = flag('--resume') ?? flag('--session-id') ?? randomUUID();
const folder = join(process.env.HOME, '.claude', 'projects', process.cwd().replaceAll('/', '-'));
const transcript = join(folder, `${session}.jsonl`);
const costOfTurn = 0.0008;

const out = (line) => writeSync(1, `${JSON.stringify({ ...line, session_id: session, uuid: randomUUID() })}\n`);
const keep = (record) => appendFileSync(transcript, `${JSON.stringify(record)}\n`);
const records = () =>
  existsSync(transcript)
    ? readFileSync(transcript, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

function fail(text, errors) {
  if (errors === undefined) console.error(text);
  else
    out({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'error',
      errors: [text],
      permission_denials: [],
    });
  process.exit(1);
}

const denials = [];
let turnsNow = 0;
let resultIndex = 0;

function decide(call) {
  // Its model is only offered the tool where somebody could answer.
  if (call.name === 'AskUserQuestion' && flag('--permission-prompt-tool') !== 'stdio')
    return { decision: 'deny', reason: '<tool_use_error>Error: No such tool available: AskUserQuestion', own: true };
  const first = runHook(call, { settings, session, transcript, mode });
  const asked = call.fault === 'hook-twice' ? runHook(call, { settings, session, transcript, mode }) : first;
  const isHeard = call.fault !== 'answer-lost' && asked.decision !== 'none' && asked.decision !== 'ask';
  if (isHeard) return asked;
  if (allowed.includes(call.name) || mode === 'bypassPermissions' || call.fault === 'no-hook')
    return { decision: 'allow', reason: '' };
  return {
    decision: 'deny',
    reason: `Permission to use ${call.name} has been denied because Claude Code is running in don't ask mode.`,
    own: true,
  };
}

function tell(call, content, isError, meta = {}) {
  const line = {
    type: 'user',
    message: { role: 'user', content: [{ tool_use_id: call.id, type: 'tool_result', content, is_error: isError }] },
    parent_tool_use_id: call.agent ?? null,
    tool_result_meta: [{ id: call.id, ...meta }],
  };
  keep({ type: 'result_of', id: call.id });
  out(line);
}

const usage = (turns) => ({
  input_tokens: 100 * turns,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 20 * turns,
});
const modelUsage = (turns) => ({
  'claude-opus-5-5': {
    inputTokens: 100 * turns,
    outputTokens: 20 * turns,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD: costOfTurn * turns,
  },
});

function finish(reason, text, more = {}) {
  const all = records().filter((record) => record.type === 'turn').length;
  out({
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: reason,
    stop_reason: reason === 'completed' ? 'end_turn' : reason,
    result: text,
    num_turns: turnsNow,
    duration_ms: 1,
    duration_api_ms: 1,
    total_cost_usd: costOfTurn * all,
    usage: usage(turnsNow),
    modelUsage: modelUsage(all),
    model_usage_since_last_result: modelUsage(turnsNow),
    permission_denials: denials,
    result_index: resultIndex,
    ...more,
  });
  resultIndex += 1;
  turnsNow = 0;
}

/** One call, decided; true when the session put itself down at it. */
function carry(call, { decision, reason, own, input }) {
  if (decision === 'defer') return true;
  if (decision === 'allow') {
    const then = call.fault === 'other-input' ? { ...call, input: call.then } : { ...call, input: input ?? call.input };
    const { content, error } = make(then, servers);
    tell(call, content, error, { permission_decision: { decision: 'accept', source: 'hook', reason_type: 'hook' } });
    return false;
  }
  denials.push({ tool_name: call.name, tool_use_id: call.id, tool_input: call.input });
  if (call.fault === 'no-result') return false;
  tell(call, own ? reason : `PreToolUse:${call.name} hook error: ${reason}`, true, {
    non_execution_kind: 'permission-rule',
    permission_decision: { decision: 'reject', source: 'hook', reason_type: 'hook' },
  });
  return false;
}

function deferAt(call) {
  keep({ type: 'deferred', call });
  finish('tool_deferred', '', { deferred_tool_use: { id: call.id, name: call.name, input: call.input } });
  process.exit(0);
}

function init() {
  out({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    tools: ['Bash', 'Read', 'Write'],
    mcp_servers: Object.keys(servers).map((name) => ({ name, status: 'connected' })),
    model: 'claude-opus-5-5',
    permissionMode: mode,
    apiKeySource: 'none',
    claude_code_version: '2.1.330',
  });
}

function fault(kind) {
  if (kind === 'die') process.kill(process.pid, 'SIGKILL');
  if (kind === 'garbage') writeSync(1, 'this is not JSON\n{"type":\n');
  if (kind === 'exit') process.exit(0);
  if (kind === 'background') spawnSync('sh', ['-c', 'sleep 600 >/dev/null 2>&1 &']);
}

/** Takes the turns that are left, up to the last or to a call that is put off. */
function goOn(script) {
  for (;;) {
    const number = records().filter((record) => record.type === 'turn').length;
    const turn = script[number] ?? [{ say: 'Final answer from the fake.' }];
    keep({ type: 'turn', number });
    turnsNow += 1;
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      usage: { ...usage(1), output_tokens: 1 },
    };
    const calls = turn.flatMap((item, at) =>
      item.call === undefined
        ? []
        : [{ ...item, name: item.call, input: item.input ?? {}, id: item.id ?? `toolu_${number}_${at}` }],
    );
    for (const item of turn) {
      if (item.say !== undefined)
        out({
          type: 'assistant',
          message: { ...message, content: [{ type: 'text', text: item.say }] },
          parent_tool_use_id: null,
        });
      if (item.fault !== undefined && item.call === undefined) fault(item.fault);
    }
    for (const call of calls) {
      keep({ type: 'call', call });
      out({
        type: 'assistant',
        message: { ...message, content: [{ type: 'tool_use', id: call.id, name: call.name, input: call.input }] },
        parent_tool_use_id: call.agent ?? null,
      });
    }
    let last = null;
    for (const call of calls) if (carry(call, decide(call))) last = call;
    if (last !== null && last.agent === undefined && !turn.some((item) => item.fault === 'lost')) deferAt(last);
    if (calls.length === 0) return turn.findLast((item) => item.say !== undefined)?.say ?? '';
  }
}

mkdirSync(folder, { recursive: true });
const before = records();
if (flag('--resume') === undefined) {
  const script = /<<script>>([\s\S]*?)<<end>>/.exec(prompt);
  keep({ type: 'prompt', script: script === null ? [] : JSON.parse(script[1]) });
  init();
} else {
  if (before.length === 0) fail(`No conversation found with session ID: ${session}`, true);
  const kept = before.at(-1).type === 'deferred' ? before.at(-1).call : undefined;
  const marked = kept?.fault === 'edited' ? { ...kept, ...kept.becomes } : kept;
  const open = before
    .filter(
      (record) =>
        record.type === 'call' && !before.some((one) => one.type === 'result_of' && one.id === record.call.id),
    )
    .map(({ call }) => call);
  const call = marked ?? (prompt === '' ? open.at(-1) : undefined);
  if (call?.fault === 'other-session') session = randomUUID();
  if (isGone(marked, servers)) {
    finish('tool_deferred_unavailable', '', { is_error: true });
    process.exit(1);
  }
  if (call === undefined && prompt === '') fail('No deferred tool marker found in the resumed session.');
  if (call === undefined) {
    for (const one of open) keep({ type: 'result_of', id: one.id });
    for (const one of open.filter(({ repeats }) => repeats)) carry(one, decide(one));
  } else if (carry(call, decide(call))) deferAt(call);
  init();
}
const { script } = records()[0];
finish('completed', goOn(script));
