import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { makeRepositoryIn } from './repository.js';
import { harnessWorkspace, talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

const hasScript = spawnSync('script', ['--version']).status === 0;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** Runs kit on a pseudo terminal and types `answer` when it asks. */
async function onTerminal(
  argv: readonly string[],
  answer: string,
  before: readonly (readonly [question: string, answer: string])[] = [],
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const line = [process.execPath, join(projectRoot, 'bin/kit.js'), ...argv].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: world.base, env: world.env });
  let shown = '';
  const asked = [...before, ['[y/N]', answer] as const];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = asked;
    if (next === undefined || !shown.includes(next[0])) return;
    asked.shift();
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, shown };
}

describe.skipIf(!hasScript)('a question on a terminal', () => {
  const place = (name: string): string =>
    makeRepositoryIn(world, name, harnessWorkspace('echo "{\\"type\\":\\"done\\",\\"text\\":\\"ran\\"}"')).root;

  it.each([
    { how: 'n', answer: 'n\n' },
    { how: 'Ctrl-C', answer: '\x03' },
    { how: 'Ctrl-D', answer: '\x04' },
  ])('that is answered with $how is a refusal, not a bug, and nothing is written', async ({ how, answer }) => {
    const root = place(`refused-${how}`);

    const { code, shown } = await onTerminal(['run', root, 'own', '--input', 'hi'], answer);

    expect(shown).toContain('adapters/own.yaml');
    expect(shown).toContain('KIT_ADAPTER_UNTRUSTED');
    expect(code).toBe(2);
    expect(existsSync(join(root, '.kit'))).toBe(false);
  });

  it('that is answered with y lets the adapter run, now and from then on', async () => {
    const root = place('accepted');

    const asked = await onTerminal(['run', root, 'own', '--input', 'hi'], 'y\n');
    const again = await onTerminal(['run', root, 'own', '--input', 'hi'], '');
    const later = await world.kit(['run', root, 'own', '--input', 'hi']);

    expect(asked.code).toBe(0);
    expect(asked.shown).toMatch(/new on this machine[\s\S]*can start \(adapter own, workspace\)/);
    expect(again.code).toBe(0);
    expect(again.shown).not.toContain('new on this machine');
    expect(later).toMatchObject({ code: 0, stdout: 'ran\n' });
  });

  it('of kit canary promote shows the split first; n changes nothing, and y does', async () => {
    const files = talk({
      workspace:
        'server: { canary: { routes: [{ topology: talk, versions: [{ version: 1.0.0, weight: 90 }, { version: 2.0.0, weight: 10 }] }] } }\n',
    });
    const next = (files['topologies/talk.yaml'] ?? '').replace('1.0.0', '2.0.0');
    const argv = [
      'canary',
      'promote',
      'talk',
      '2.0.0',
      world.files('split', { ...files, 'topologies/next.yaml': next }),
    ];

    const no = await onTerminal(argv, 'n\n');
    const yes = await onTerminal(argv, 'y\n');

    expect(no).toMatchObject({ code: 2, shown: expect.stringContaining('nothing was changed') });
    expect(yes.shown).toContain('Now 1.0.0 90 %, 2.0.0 10 %. Send all new runs of talk to 2.0.0? [y/N]');
    expect(yes).toMatchObject({ code: 0, shown: expect.stringContaining('talk: 1.0.0 0 %, 2.0.0 100 %') });
  });

  it('of kit init that is cut off with Ctrl-C writes nothing', async () => {
    const { code, shown } = await onTerminal(['init', 'fresh', '--template', 'hello'], '\x03');

    expect(shown).toContain('KIT_USAGE');
    expect(code).toBe(2);
    expect(existsSync(join(world.base, 'fresh'))).toBe(false);
  });

  it('of kit init takes a number of the gallery and files to add', async () => {
    const questions = [
      ['Which template', '1\n'],
      ['Also write', 'gitignore\n'],
    ] as const;
    const { code, shown } = await onTerminal(['init', 'chosen'], 'y\n', questions);

    expect(code, shown).toBe(0);
    expect(shown).toMatch(/ 1 {2}hello /);
    expect(existsSync(join(world.base, 'chosen', 'workspace.yaml'))).toBe(true);
    expect(existsSync(join(world.base, 'chosen', '.gitignore'))).toBe(true);
  });

  it('of kit init for a template, cut off with Ctrl-C, writes nothing', async () => {
    const { code, shown } = await onTerminal(['init', 'never'], '', [['Which template', '\x03']]);

    expect(shown).toContain('no template is chosen');
    expect(code).toBe(2);
    expect(existsSync(join(world.base, 'never'))).toBe(false);
  });
});
