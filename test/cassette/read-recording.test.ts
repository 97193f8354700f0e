import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRecording } from '../../src/cassette/read-recording.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-recording-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const refused = (problem: RegExp) => ({ code: 'KIT_CASSETTE_INVALID', message: expect.stringMatching(problem) });

it('gives the text of a file', async () => {
  const file = join(dir, 'a.jsonl');
  await writeFile(file, 'one\n');
  expect(await readRecording(file)).toBe('one\n');
});

it.each([
  ['a pipe that nobody writes into', 'pipe'],
  ['a device without an end', '/dev/zero'],
  ['a directory', '.'],
])('refuses %s and waits for nothing', async (_what, name) => {
  if (name === 'pipe') execFileSync('mkfifo', [join(dir, name)]);
  const file = name.startsWith('/') ? name : join(dir, name);
  await expect(readRecording(file)).rejects.toMatchObject(refused(/not a regular file/));
});

it('refuses what is larger than any recording, and what is not there', async () => {
  const file = join(dir, 'large');
  await writeFile(file, 'x'.repeat(11));
  await expect(readRecording(file, 10)).rejects.toMatchObject(refused(/11 bytes/));
  expect(await readRecording(file, 11)).toHaveLength(11);
  await expect(readRecording(join(dir, 'none'))).rejects.toMatchObject(refused(/no such file/));
});
