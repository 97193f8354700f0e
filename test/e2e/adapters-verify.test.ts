import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAKE_CLAUDE } from '../support/fake-claude.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let bin: string;
beforeAll(async () => {
  world = await makeWorld();
  // The folder for what passes may lie in a package of modules.
  writeFileSync(join(world.base, 'package.json'), '{"type":"module"}');
  bin = join(world.base, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_CLAUDE}' "$@"\n`);
  chmodSync(join(bin, 'claude'), 0o755);
});
afterAll(() => world.dispose());

const verify = (id: string, path: string) =>
  world.kit(['adapters', 'verify', id, '--json'], { env: { PATH: path, TMPDIR: world.base } });

describe('kit adapters verify', () => {
  it('drives the program through its cases, and exits with 1 for what does not hold', async () => {
    const ended = await verify('claude-code', `${bin}:${process.env.PATH ?? ''}`);

    const { cases } = lastOf(ended) as { readonly cases: readonly { name: string; result: string; seen: string }[] };
    const named = (result: string) => cases.filter((one) => one.result === result).map(({ name }) => name);
    expect(named('ok')).toEqual(
      expect.arrayContaining([
        'answer',
        'edit and diff',
        'failing tool',
        'denial',
        'gate, approved',
        'gate, once',
        'kill',
      ]),
    );
    // The program that plays Claude Code asks no model: it says its own whatever the model says,
    // and calls no tool of kit.
    expect(named('lost')).toEqual([
      'model refuses',
      'skill',
      'usage',
      'usage over a park',
      'resume',
      'silence',
      'gate, rejected',
    ]);
    expect(cases.find(({ name }) => name === 'usage')?.seen).toBe('100 in and 20 out; 0 and 0 were given');
    expect(ended.code).toBe(1);
    expect(readdirSync(world.base).filter((name) => name.startsWith('kit-verify-'))).toEqual([]);
  }, 240_000);

  it('says where the program is missing, and of which adapters it knows how', async () => {
    const missing = await verify('qwen', '/usr/bin:/bin');
    expect(missing.code).toBe(2);
    expect(missing.stdout).toContain('qwen is not on PATH');
    const unknown = await verify('test-runner', '/usr/bin:/bin');
    expect(unknown.code).toBe(2);
    expect(unknown.stdout).toContain('opencode-acp');
  }, 60_000);
});
