import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/domain/diagnostic.js';
import { validationGithub } from '../../src/text/findings-github.js';
import { findingsView, reportOf, UNVERIFIED } from '../support/findings.js';

const PATH = 'topologies/a,b:c%.yaml';
const SOURCE = 'one: 1\nlist:\n  - two\n  - three\n';

const at = (marked: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'agent.unknown-archetype',
  severity: 'error',
  message: 'no archetype is called `greter`',
  path: PATH,
  pointer: '/agents/root',
  span: { path: PATH, start: SOURCE.indexOf(marked), end: SOURCE.indexOf(marked) + marked.length },
  ...more,
});

const linesOf = (diagnostics: readonly Diagnostic[], view = findingsView()): readonly string[] =>
  validationGithub(reportOf(diagnostics, { [PATH]: SOURCE }), view).split('\n');

/** A workflow command as the runner reads it: properties and message unescaped. */
function readCommand(line: string) {
  const [, command = '', properties = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const plain = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = properties
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), plain(pair.slice(pair.indexOf('=') + 1))]);
  return { command, ...Object.fromEntries(pairs), message: plain(message) };
}

describe('workflow commands of GitHub', () => {
  test('name file, lines, columns and code, with everything escaped that would end a property', () => {
    const [line = ''] = linesOf([at('two', { message: '100% wrong: a, b', help: 'fix it' })]);

    expect(line).toBe(
      '::error file=team/topologies/a%2Cb%3Ac%25.yaml,line=3,endLine=3,col=5,endColumn=8,title=agent.unknown-archetype::100%25 wrong: a, b%0Ahelp: fix it',
    );
    expect(readCommand(line)).toEqual({
      command: 'error',
      file: 'team/topologies/a,b:c%.yaml',
      line: '3',
      endLine: '3',
      col: '5',
      endColumn: '8',
      title: 'agent.unknown-archetype',
      message: '100% wrong: a, b\nhelp: fix it',
    });
  });

  test('hold nothing that a terminal obeys or that changes the order of a line', () => {
    const path = 'a\u001b[2J\u009b31m\u202e\n::stop-commands::x\r.yaml';
    const [line = '', ...rest] = validationGithub(
      reportOf([at('two', { path, span: { path, start: 0, end: 3 } })], { [path]: SOURCE }),
      findingsView(),
    ).split('\n');

    expect(line).toMatch(
      /^::error file=team\/a\\u\{1b\}\[2J\\u\{9b\}31m\\u\{202e\}%0A%3A%3Astop-commands%3A%3Ax%0D\.yaml,/,
    );
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(rest).toEqual(['1 error in 1 file']);
  });

  test('leave columns out over several lines, where the runner takes them for a mistake', () => {
    expect(linesOf([at('- two\n  - three')])[0]).toMatch(/line=3,endLine=4,title=/);
  });

  test('are warnings and notices for lesser problems, and name related places in the text', () => {
    const related = [{ span: { path: PATH, start: 0, end: 3 }, message: 'first defined here' }];
    const [warning = '', notice = '', summary] = linesOf([
      at('two', { severity: 'warning', related }),
      at('two', { severity: 'info' }),
    ]);

    expect(readCommand(warning)).toMatchObject({
      command: 'warning',
      message: expect.stringContaining(`\nteam/${PATH}:1: first defined here`),
    });
    expect(readCommand(notice)).toMatchObject({ command: 'notice' });
    expect(summary).toBe('0 errors and 1 warning in 1 file');
  });

  test('hold no second command, whatever a message says', () => {
    const hostile = at('two', { message: 'x\n::set-env name=A::b\r::error::c\u001b[2J', help: '\n::stop-commands::t' });

    expect(linesOf([hostile])).toHaveLength(2);
    for (const character of ['\r', '\u001b']) expect(linesOf([hostile])[0]).not.toContain(character);
  });

  test('end with a line for people, also when nothing is wrong', () => {
    expect(linesOf([])).toEqual(['ok w']);
    const demanded = linesOf([], findingsView({ failures: [UNVERIFIED] }));
    expect(demanded).toEqual([
      '::error file=team/workspace.yaml,title=validate.require-verified::the output of 1 root is checked by nothing (--require-verified)%0Ahelp: hello@1.0.0 host',
      '1 demand not met',
    ]);
  });
});
