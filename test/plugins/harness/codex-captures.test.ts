import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hookWords } from '../../../plugins/harness/src/gate/open-gate.js';
import { interpretLine } from '../../../plugins/harness/src/interpret/line.js';
import type { GateAnswer, JsonObject } from '../../../src/sdk/plugin.js';
import { bash, scripted, type Turns } from '../../support/fake-claude.js';
import { FAKE_CODEX, patch } from '../../support/fake-codex.js';
import { placesOf } from '../../support/places.js';
import { adapterOf, bundledSpec, capture } from './replay.js';

const adapter = adapterOf(bundledSpec('codex'));
const { gate } = adapter;
if (gate === null) throw new Error('the adapter codex has no gate');

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'kit-captures-')));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const linesOf = (lines: readonly string[]): readonly JsonObject[] =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as JsonObject);
const HOOKS = capture('codex-0.169.0-hooks.jsonl').filter((line) => line !== '');
/** What the real program printed. */
const CAPTURED = ['hello', 'resume', 'api-error', 'workspace-write', 'hooked', 'hook-denied'].flatMap((name) =>
  linesOf(capture(`codex-0.169.0-exec-${name}.jsonl`)),
);
const kindOf = ({ type, item }: JsonObject): string =>
  `${String(type)}/${String((item as JsonObject | undefined)?.type)}`;

/** One launch of the program that plays it, whose hook decides so and keeps what it was told. */
function play(decision: string, turns: Turns) {
  const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision } };
  const command = JSON.stringify(`cat >>told; echo >>told; echo '${JSON.stringify(output)}'`);
  const hook = `hooks.PreToolUse=[{matcher=".*",hooks=[{type="command",command=${command},timeout=20}]}]`;
  const argv = [FAKE_CODEX, 'exec', '-c', hook, '--dangerously-bypass-hook-trust', '--json', '-'];
  const env = { PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: join(home, 'codex') };
  const said = execFileSync(process.execPath, argv, {
    cwd: home,
    env,
    input: scripted(turns),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return linesOf(said.toString().split('\n'));
}

describe('the program that plays Codex', () => {
  it('says nothing that the real one does not say, to kit and to its hook', () => {
    const turns = [
      [{ say: 'I look.' }, bash('echo hi'), bash('ls no-such-file')],
      [patch('note.md')],
      [{ say: 'Done.' }],
    ];
    const said = [...play('allow', turns), ...play('deny', turns), ...play('allow', [[{ say: 'Hello.' }]])];
    for (const line of said) {
      const real = CAPTURED.filter((one) => kindOf(one) === kindOf(line)).flatMap((one) => placesOf(one));
      expect(real, kindOf(line)).toEqual(expect.arrayContaining([...new Set(placesOf(line))]));
    }
    const reported = linesOf(execFileSync('cat', [join(home, 'told')], { encoding: 'utf8' }).split('\n'));
    expect(reported.length).toBeGreaterThan(3);
    const real = linesOf(HOOKS).flatMap((one) => placesOf(one));
    for (const line of reported) expect(real).toEqual(expect.arrayContaining([...new Set(placesOf(line))]));
  });
});

describe('what Codex tells its hook', () => {
  const place = { cwd: '/home/dev/work', top: '/home/dev/work' };
  const words = () => hookWords(gate, { place, tools: { names: ['add-note'] } });

  it('is read as the call that it is: a command with where it is made, a patch with its files', async () => {
    const calls = await Promise.all(HOOKS.map((line) => words().callOf(line)));
    expect(calls.map((call) => [call?.tool, call?.input, call?.paths ?? call?.within ?? null])).toEqual([
      ['Bash', { command: 'echo hi' }, null],
      ['Bash', { command: 'pwd', workdir: '/home/dev' }, '/home/dev'],
      ['apply_patch', expect.any(Object), ['/home/dev/work/note.md']],
      ['mcp__notes__add_note', { text: 'x' }, null],
      ['Bash', { command: 'ls no-such-file' }, null],
      ['Bash', { command: 'touch denied' }, null],
    ]);
    expect(await words().callOf('{"tool_name":"Bash"}')).toBeNull();
    expect(await words().callOf('[]')).toBeNull();
  });

  it('is a tool of kit where its name is one of them, in the letters that Codex spells names with', async () => {
    const reported = (tool: string) =>
      words().callOf(JSON.stringify({ ...JSON.parse(HOOKS[0] ?? ''), tool_name: tool, tool_input: {} }));
    expect(await reported('mcp__kit__add_note')).toMatchObject({ skill: 'add-note' });
    expect(await reported('mcp__kit__other')).not.toHaveProperty('skill');
    expect(await reported('mcp__notes__add_note')).not.toHaveProperty('skill');
  });

  it('stands against its stream: each call in it was asked about, and one more was not', async () => {
    const lines = capture('codex-0.169.0-exec-hooked.jsonl').flatMap((line) => interpretLine(adapter, line));
    const calls = lines.filter((event) => event.type === 'tool_call');
    const read = words();
    for (const line of HOOKS.slice(0, 5)) {
      const call = await read.callOf(line);
      if (call !== null) read.note(call, 'allow');
    }
    expect(calls.map((call) => read.isAnnounced(call))).toEqual(calls.map(() => true));
    const [first] = calls;
    if (first !== undefined) expect(read.isAnnounced({ ...first, id: 'item_99' })).toBe(false);
    expect(words().isAnnounced({ type: 'tool_call', id: 'i', tool: 'file_change', summary: '', status: '' })).toBe(
      false,
    );
  });

  it('is answered with a no where people decide, which ends the session', () => {
    const deferred: GateAnswer = { verdict: 'defer' };
    expect(words().said(deferred)).toMatchObject({ answer: { verdict: 'deny' }, isLast: true });
    expect(words().said({ verdict: 'deny', reason: 'r' })).toEqual({
      answer: { verdict: 'deny', reason: 'r' },
      isLast: false,
    });
  });
});
