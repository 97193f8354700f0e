import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.js';
import { bash, FAKE_CLAUDE, scripted } from '../../support/fake-claude.js';
import { placesOf } from '../../support/places.js';

const FIXTURES = join(import.meta.dirname, '../../fixtures/harness');
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'kit-captures-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Line = { readonly [key: string]: Json };
const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** What the real program printed, of every version. */
const CAPTURED = readdirSync(FIXTURES)
  .filter((name) => /^claude-2\.1\..*\.jsonl$/.test(name))
  .flatMap((name) => linesOf(readFileSync(join(FIXTURES, name), 'utf8')));

const kindOf = (line: Line): string => `${String(line.type)}/${String(line.subtype ?? '')}`;

/** One launch of the program that plays it, whose hook decides so. */
function play(decision: string, ...args: string[]): readonly Line[] {
  const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision } };
  const settings = join(home, `${decision}.json`);
  const command = `cat >/dev/null; echo '${JSON.stringify(output)}'`;
  writeFileSync(
    settings,
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command, timeout: 20 }] }] } }),
  );
  const argv = [FAKE_CLAUDE, '-p', '--output-format', 'stream-json', '--verbose', '--settings', settings, ...args];
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  return linesOf(execFileSync(process.execPath, argv, { cwd: home, env, encoding: 'utf8', input: '' }));
}

it('the program that plays Claude Code says nothing that the real one does not say', () => {
  const turns = [[{ say: 'I run it.' }, bash('echo hi')], [{ say: 'All done.' }]];
  const deferred = play('defer', scripted(turns));
  const session = String(deferred[0]?.session_id);
  const said = [...deferred, ...play('allow', '--resume', session), ...play('deny', scripted(turns))];

  for (const line of said) {
    const real = CAPTURED.filter((one) => kindOf(one) === kindOf(line)).flatMap((one) => placesOf(one));
    expect(real, kindOf(line)).toEqual(expect.arrayContaining([...new Set(placesOf(line))]));
  }
  expect(deferred.at(-1)).toMatchObject({ type: 'result', terminal_reason: 'tool_deferred', is_error: false });
});
