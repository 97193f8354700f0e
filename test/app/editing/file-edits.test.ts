import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isKitError } from '../../../src/domain/errors.js';
import { createFileEdits, type EditCalls, nodeEditCalls } from '../../../src/system/file-edits.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-file-edits-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const file = (): string => join(directory, 'a.yaml');
const outcome = (work: Promise<void>): Promise<unknown> =>
  work.then(() => 'done').catch((error: unknown) => (isKitError(error) ? error.code : error));

/**
 * The calls of a real disk, of which the `at`-th fails before (or after) it does its work; -1 =
 * none.
 */
function failing(at: number, when: 'before' | 'after'): { readonly calls: EditCalls; readonly made: string[] } {
  const made: string[] = [];
  const wrapped =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const fails = made.push(name) - 1 === at;
      if (fails && when === 'before') throw Object.assign(new Error('no'), { code: 'EIO' });
      const result = await call(...args);
      if (fails) throw Object.assign(new Error('no'), { code: 'EIO' });
      return result;
    };
  const { mkdir, mode, write, rename, remove, syncDirectory } = nodeEditCalls;
  return {
    made,
    calls: {
      mkdir: wrapped('mkdir', mkdir),
      mode: wrapped('mode', mode),
      write: wrapped('write', write),
      rename: wrapped('rename', rename),
      remove: wrapped('remove', remove),
      syncDirectory: wrapped('sync', syncDirectory),
    },
  };
}

const STEPS = ['mkdir', 'mode', 'write', 'rename', 'sync'];

describe('an edit of a file', () => {
  it('replaces the whole text, keeps the permissions, and leaves nothing beside it', async () => {
    await writeFile(file(), 'old');
    await chmod(file(), 0o640);
    const { calls, made } = failing(-1, 'before');
    await createFileEdits(calls).replace(file(), 'new');

    expect(await readFile(file(), 'utf8')).toBe('new');
    expect((await stat(file())).mode & 0o777).toBe(0o640);
    expect(await readdir(directory)).toEqual(['a.yaml']);
    expect(made).toEqual(STEPS);
  });

  it.each(STEPS.flatMap((step, at) => (['before', 'after'] as const).map((when) => [step, when, at] as const)))(
    'that fails at %s (%s it is done) leaves the old file or the new one, and nothing beside it',
    async (step, when, at) => {
      await writeFile(file(), 'old');
      const result = await outcome(createFileEdits(failing(at, when).calls).replace(file(), 'new'));
      const isMade = step === 'sync' || (step === 'rename' && when === 'after');

      expect(result).toBe(step === 'sync' ? 'done' : 'KIT_EDIT_FAILED');
      expect(await readFile(file(), 'utf8')).toBe(isMade ? 'new' : 'old');
      expect(await readdir(directory)).toEqual(['a.yaml']);
    },
  );

  it('a removal that fails leaves the file, and one of nothing is done', async () => {
    await writeFile(file(), 'old');
    expect(await outcome(createFileEdits(failing(0, 'before').calls).remove(file()))).toBe('KIT_EDIT_FAILED');
    expect(await readFile(file(), 'utf8')).toBe('old');
    expect(await outcome(createFileEdits().remove(file()))).toBe('done');
    expect(await outcome(createFileEdits().remove(file()))).toBe('done');
  });

  it('a process that is killed on the way leaves the old text or the new one, whole', async () => {
    await writeFile(file(), 'old\n');
    const script = `
      import { createFileEdits } from ${JSON.stringify(new URL('../../../dist/system/file-edits.js', import.meta.url).href)};
      const edits = createFileEdits();
      process.stdout.write('ready\\n');
      for (let round = 0; ; round++) await edits.replace(${JSON.stringify(file())}, String(round % 10).repeat(100_000) + '\\n');
    `;
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      await new Promise<void>((resolve, reject) => {
        child.stdout.once('data', () => resolve());
        child.once('exit', () => reject(new Error('the writer did not start')));
      });
      while ((await readFile(file(), 'utf8')) === 'old\n') await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await ended;
      expect(await readFile(file(), 'utf8')).toMatch(/^(?:(\d)\1{99999}|old)\n$/);
    }
    // What a killed writer left beside it is hidden, and no loader reads it.
    const others = (await readdir(directory)).filter((name) => name !== 'a.yaml');
    expect(others.every((name) => name.startsWith('.a.yaml.') && name.endsWith('.kit-edit'))).toBe(true);
  });
});
