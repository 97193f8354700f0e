import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { gated } from './review/gated-workspace.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let dir: string;
let parked: string;
let newest: string;
beforeAll(async () => {
  world = await makeWorld();
  dir = world.files('gated', gated());
  const run = async (topology: string) =>
    String(lastOf(await world.here(['run', dir, topology, '--input', 'hi', '--as', 'dana', '--json'])).id);
  parked = await run('release');
  newest = await run('plain');
});
afterAll(() => world.dispose());

const kit = (...argv: readonly string[]) => world.here(argv, { cwd: dir });

describe('a command that names no run', () => {
  it.each([['why'], ['trace'], ['report', '-o', '-'], ['diff']])(
    'kit %s takes the newest and says so',
    async (...argv) => {
      const done = await kit(...argv);
      expect(done.stderr).toContain(`run ${newest} of plain, completed: the newest`);
      if (argv[0] !== 'diff') expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(newest)]);
      const json = await kit(...argv.slice(0, 1), '--json', ...(argv[0] === 'report' ? ['-o', 'page.html'] : []));
      expect(json.stderr).toBe('');
    },
  );

  it('is refused where nothing ever ran, and says what to do', async () => {
    const empty = world.files('empty', talk());
    const why = await world.here(['why', '-w', empty]);
    expect([why.code, why.stderr]).toEqual([2, expect.stringMatching(/nothing was ever run[\s\S]*kit run/)]);
  });

  it('kit trace --limit lists them, and kit logs takes a run where a directory could stand', async () => {
    expect((await kit('trace', '--limit', '5')).stdout).toMatch(new RegExp(`${newest}[\\s\\S]*${parked}`));
    expect((await kit('logs', parked.slice(0, 8))).stdout).toContain(`run ${parked} of release`);
  });
});

describe('a gate', () => {
  it('is called by the beginning of its run and its agent, or by its run', async () => {
    const id = `${parked}:writer`;
    expect((await kit('why', `${parked.slice(0, 5)}:w`)).stdout).toContain(`gate ${id}`);
    expect((await kit('review', 'gate', parked.slice(0, 7))).stdout).toContain(`gate ${id}`);
    const list = await kit('review', 'list', '--gate', `${parked.slice(0, 6)}:writ`, '--json');
    expect(list.lines().at(-1)).toMatchObject({ total: 2 });
    expect((await kit('review', 'gate', `${parked}:nobody`)).stderr).toContain('KIT_GATE_UNKNOWN');
  });
});

describe('kit run', () => {
  it('without a topology lists them, and takes the only one', async () => {
    const several = await kit('run', '--input', 'hi');
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringMatching(/name a topology: plain, release\n {2}hint: For example: kit run plain --input TEXT/),
    ]);
    const only = await world.here(['run', '--input', 'hi'], { cwd: world.files('one', talk()) });
    expect([only.code, only.stderr]).toEqual([0, expect.stringMatching(/^topology talk: the only one\n/)]);
  });
});

describe('what a shell is offered', () => {
  it('are topologies, runs, items, agents and skills of the workspace that is typed, and nothing where there is none', async () => {
    const offered = async (...argv: readonly string[]) => (await world.here(['complete', ...argv])).stdout.split('\n');
    expect(await offered('topologies', 'run', '-w', dir)).toEqual(expect.arrayContaining(['plain', 'release']));
    expect(await offered('runs', 'trace', dir)).toEqual([newest, parked, '']);
    expect(await offered('items', `--workspace=${dir}`)).toEqual(
      expect.arrayContaining([parked, `mpa-${parked}:writer-0-qa`]),
    );
    expect(await offered('agents', '-w', dir)).toEqual(['talker', '']);
    const skills = await world.here(['new', 'skill', 'ask-notes', '-w', world.files('skilled', talk())]);
    expect(skills.code, skills.stderr).toBe(0);
    expect(await offered('skills', 'skill', 'remove', '-w', join(world.base, 'skilled'))).toEqual(['ask-notes', '']);
    expect(await offered('topologies')).toEqual(['']);
    expect(await offered('colours', '-w', dir)).toEqual(['']);
  });

  it('reaches bash, after what is typed', async () => {
    const bin = join(world.base, 'bin-kit');
    writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${join(projectRoot, 'bin/kit.js')}' "$@"\n`);
    chmodSync(bin, 0o755);
    const script = join(world.base, 'kit.bash');
    writeFileSync(script, (await world.here(['completion', 'bash'])).stdout);
    const offers = (...words: readonly string[]): readonly string[] => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const program = `kit() { '${bin}' "$@"; }; source '${script}'; COMP_WORDS=(${list}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _kit; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = { ...world.env, PATH: `${process.env.PATH ?? ''}${delimiter}/bin` };
      return execFileSync('bash', ['--norc', '--noprofile', '-c', program], { cwd: dir, encoding: 'utf8', env }).split(
        '\n',
      );
    };
    if (spawnSync('bash', ['-c', 'true']).status !== 0) return;
    expect(offers('kit', 'run', 're')).toContain('release');
    expect(offers('kit', 'trace', parked.slice(0, 4))).toContain(parked);
    expect(offers('kit', 'review', 'approve', '')).toContain(parked);
  });
});
