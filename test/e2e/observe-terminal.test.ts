import { join } from 'node:path';
import pty from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let dir: string;
let id: string;
beforeAll(async () => {
  world = await makeWorld();
  dir = world.files('ran', {
    ...talk(),
    'topologies/talk.yaml': (talk()['topologies/talk.yaml'] ?? '').replaceAll(
      'talk',
      'talk-about-one-thing-and-another-for-a-long-while',
    ),
  });
  const run = await world.kit([
    'run',
    dir,
    'talk-about-one-thing-and-another-for-a-long-while',
    '--input',
    'hi',
    '--json',
  ]);
  id = String(lastOf(run).id);
});
afterAll(() => world.dispose());

/** Everything that kit prints on a terminal of this width, and its exit code. */
function onTerminal(
  argv: readonly string[],
  cols: number,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly text: string; readonly code: number }> {
  const child = pty.spawn(process.execPath, [join(projectRoot, 'bin', 'kit.js'), ...argv], {
    cols,
    rows: 40,
    cwd: world.base,
    env: { ...world.env, ...env },
  });
  let text = '';
  child.onData((data) => {
    text += data;
  });
  return new Promise((resolve) => child.onExit(({ exitCode }) => resolve({ text, code: exitCode })));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of colours
const COLOURS = /\u001b\[[0-9;]*m/g;
const linesOf = (text: string): readonly string[] => text.replace(COLOURS, '').trimEnd().split('\r\n');

describe('lists of runs on a terminal', () => {
  it.each([60, 80, 100])('fit %i columns', async (cols) => {
    for (const argv of [
      ['status', dir],
      ['trace', '--limit', '10', '-w', dir],
    ]) {
      const { text, code } = await onTerminal(argv, cols);
      const table = linesOf(text).slice(0, 2);

      expect(code).toBe(0);
      expect(table[0]).toMatch(/^RUN /);
      expect(table[1]).toMatch(new RegExp(`^${id} .*…`));
      for (const line of table) expect(line.length).toBeLessThanOrEqual(cols);
    }
  });

  it('are whole where stdout is not a terminal', async () => {
    const { stdout } = await world.kit(['status', dir]);

    expect(stdout).toContain('talk-about-one-thing-and-another-for-a-long-while 1.0.0');
    expect(stdout).not.toContain('\u001b');
  });

  it('are coloured on a terminal alone, without NO_COLOR, or where --color asks for it', async () => {
    const coloured = await onTerminal(['status', dir], 100);
    const plain = await onTerminal(['status', dir], 100, { NO_COLOR: '1' });
    const off = await onTerminal(['status', dir, '--no-color'], 100);
    const piped = await world.kit(['status', dir, '--color'], { env: { NO_COLOR: '1' } });

    expect(coloured.text).toMatch(COLOURS);
    expect(plain.text).not.toMatch(COLOURS);
    expect(off.text).not.toMatch(COLOURS);
    expect(piped.stdout).toMatch(COLOURS);
    expect(linesOf(coloured.text)).toEqual(linesOf(plain.text));
  });
});
