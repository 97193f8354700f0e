import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { makeRepositoryIn, type Repository } from './repository.js';
import { makeWorld, type World } from './world.js';

let world: World;
let repo: Repository;
beforeAll(async () => {
  world = await makeWorld();
  repo = makeRepositoryIn(world, 'release', {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'a.test.js': "import test from 'node:test';\ntest('holds', () => {});\n",
  });
  const made = await world.kit(['init', join(repo.root, 'kit'), '--template', 'release-gate', '--yes']);
  if (made.code !== 0) throw new Error(made.stderr);
});
afterAll(() => world.dispose());

/** The lines that a reader of the walk-through pastes, in their order. */
function walkThrough(): string {
  const readme = readFileSync(join(projectRoot, 'templates/release-gate/README.md'), 'utf8');
  const section = readme.split('## What you may want to change')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim())
    .join('\n');
}

describe('the walk-through of the release gate', () => {
  it('works as pasted: a rework round, two refusals, two signatures, a proof of known origin', async () => {
    const script = `set -e\nkit() { ${JSON.stringify(process.execPath)} ${JSON.stringify(join(projectRoot, 'bin', 'kit.js'))} "$@"; }\n${walkThrough()}\n`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
      cwd: join(repo.root, 'kit'),
      env: world.env,
    });

    expect(stderr).toMatch(/"dev-1" may not decide/);
    expect(stderr).toMatch(/"ops-1" may not decide/);
    expect(stdout).toMatch(/changes-requested by qa-1/);
    expect(stdout).toMatch(/release-gate 1\.0\.0 +completed/);
    expect(stdout).toContain('intact, origin proven');
    const proof = JSON.parse(readFileSync(join(repo.root, 'kit', 'release.proof.json'), 'utf8')) as {
      rounds: { status: string }[];
      decisions: { identity: string; outcome: string; signature: object | null }[];
    };
    expect(proof.rounds.map((round) => round.status)).toEqual(['changes-requested', 'approved']);
    expect(proof.decisions.map(({ identity, outcome }) => `${identity} ${outcome}`)).toEqual([
      'qa-1 changes_requested',
      'qa-1 approve',
      'ops-1 approve',
    ]);
    expect(proof.decisions.every((decision) => decision.signature !== null)).toBe(true);
  }, 240_000);
});
