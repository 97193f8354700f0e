import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSession, keepSession } from '../../../plugins/harness/src/rehearsal/program.js';
import { readScript } from '../../../plugins/harness/src/rehearsal/script.js';

it('a script is a list of words, edits and commands', () => {
  expect(readScript('')).toEqual([]);
  expect(readScript('[{"say":"a"},{"edit":"b","content":"c"},{"edit":"d"},{"run":"e"}]')).toEqual([
    { kind: 'say', text: 'a' },
    { kind: 'edit', path: 'b', content: 'c' },
    { kind: 'edit', path: 'd', content: '' },
    { kind: 'run', command: 'e' },
  ]);
});

it('what is none is said in a sentence', () => {
  expect(() => readScript('{}')).toThrow('is a list of steps');
  expect(() => readScript('[{"say":"a"},{"shout":"b"}]')).toThrow('step 2 of `script` is none of');
  expect(() => readScript(JSON.stringify(Array.from({ length: 101 }, () => ({ say: 'a' }))))).toThrow('at most 100');
});

it('a session is kept among the files of git and not of the work', () => {
  const base = mkdtempSync(join(tmpdir(), 'kit-rehearsal-'));
  try {
    mkdirSync(join(base, 'tree', 'kit'), { recursive: true });
    mkdirSync(join(base, 'own'));
    writeFileSync(join(base, 'tree', '.git'), 'gitdir: ../own\n');

    keepSession(join(base, 'tree', 'kit'), { id: 'a', done: 2 });

    expect(findSession(join(base, 'tree'), 'a')).toEqual({ id: 'a', done: 2 });
    expect(findSession(join(base, 'tree'), 'b')).toBeNull();
    expect(findSession(join(base, 'own'), 'a')).toBeNull();
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
