import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { assertBinaries } from '../../../src/app/submit/assert-binaries.js';
import { createAskVersion } from '../../../src/system/program-version.js';

/** A program that does what the script says when it is asked. */
async function program(
  script: string,
): Promise<{ readonly path: string; readonly change: (script: string) => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-version-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'tool');
  const change = async (text: string): Promise<void> => {
    await writeFile(path, `#!/bin/sh\n${text}\n`);
    await chmod(path, 0o700);
  };
  await change(script);
  return { path, change };
}

function asking() {
  let now = 0;
  const ask = createAskVersion({ clock: { now: () => now }, env: { PATH: process.env.PATH ?? '' } });
  const later = (ms: number): void => {
    now += ms;
  };
  return { ask, later };
}

const needs = (binary: string, version: string) => ({ requires: [{ binary, version }] });

it('a binary in a version that fits is let through, whatever it says its version with', async () => {
  const { ask } = asking();
  const { path } = await program('echo "tool version 2.41.0" >&2');

  await expect(assertBinaries(ask, 'pack', needs(path, '>=2.40'))).resolves.toBeUndefined();
  await expect(assertBinaries(ask, 'pack', {})).resolves.toBeUndefined();
});

it('another version is refused by name, with the one that was found', async () => {
  const { ask } = asking();
  const { path } = await program('echo "tool version 2.39.0"; exit 0');

  await expect(assertBinaries(ask, 'pack', needs(path, '>=2.40'))).rejects.toMatchObject({
    code: 'KIT_BINARY_VERSION',
    message: expect.stringContaining('2.39.0'),
    data: { pack: 'pack', binary: path, wanted: '>=2.40', found: '2.39.0' },
  });
});

it.each([
  ['fails', 'echo 2.50; exit 3'],
  ['says nothing', 'exit 0'],
  ['says no version', 'echo hello'],
])('a program that %s is refused: what was asked for is not known to hold', async (_, script) => {
  const { ask } = asking();
  const { path } = await program(script);

  await expect(assertBinaries(ask, 'pack', needs(path, '>=2.40'))).rejects.toMatchObject({
    code: 'KIT_BINARY_VERSION',
    data: { found: null },
  });
});

it('a program that is replaced is asked again after a minute, and one that said nothing at once', async () => {
  const { ask, later } = asking();
  const { path, change } = await program('exit 1');
  expect(await ask(path)).toBeNull();
  await change('echo 1.0');
  expect(await ask(path)).toBe('1.0');
  await change('echo 2.0');
  expect(await ask(path)).toBe('1.0');
  later(60_000);
  expect(await ask(path)).toBe('2.0');
});
