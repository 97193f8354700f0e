import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { talk } from '../e2e/workspaces.js';
import { type KitHome, makeHome } from '../support/kit-process.js';
import { modulesOf } from '../support/loaded-modules.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

const HEAVY = [
  'ink',
  'react',
  'fastify',
  'pg',
  'better-sqlite3',
  'ajv',
  'yaml',
  'execa',
  'kysely',
  'json-p3',
  'ai',
  '@opentelemetry',
];
/** Libraries that the build folds into a file of kit's own: loading it is loading them. */
const FOLDED: Readonly<Record<string, string>> = { ajv: '/dist/lib/ajv/entry.js', yaml: '/dist/compile/entry.js' };
const heavyIn = (modules: readonly string[], packages: readonly string[]): readonly string[] =>
  packages.filter((name) =>
    modules.some(
      (url) => url.includes(`/node_modules/${name}/`) || (FOLDED[name] !== undefined && url.endsWith(FOLDED[name])),
    ),
  );

it.each(Object.entries(FOLDED))('knows the file that %s is folded into', async (name, file) => {
  expect(heavyIn([`file://${file}`], [name])).toEqual([name]);
  const text = await readFile(join(import.meta.dirname, '../..', file), 'utf8');
  // A comment of the bundler before each file that it took in; its absence would print megabytes.
  expect(text.includes(`node_modules/${name}/`)).toBe(true);
});

/** Modules at most (docs/design/decisions.md#start-up). */
const START = 200;

describe.each([['--version'], ['--help'], ['plugins --help'], ['checkpoints --help']])('kit %s', (line) => {
  const argv = line.split(' ');
  it(`loads at most ${START} modules and nothing heavy`, async () => {
    const modules = await modulesOf(argv, home.env);

    console.log(`kit ${line}: ${modules.length} modules`);
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.length).toBeLessThanOrEqual(START);
    expect(heavyIn(modules, HEAVY)).toEqual([]);
  });
});

/** Of commands that do something (docs/design/decisions.md#start-up). */
const WORK = [
  { line: 'validate', atMost: 350, without: ['ink', 'react', 'fastify', 'pg', 'better-sqlite3'] },
  // Nothing is opened: no driver, and of a file that never says `storage` not even the parser.
  { line: 'storage status', atMost: 234, without: ['ink', 'react', 'fastify', 'pg', 'better-sqlite3', 'yaml', 'ajv'] },
  { line: 'system', atMost: 500, without: ['ink', 'react', 'fastify', 'pg', 'better-sqlite3'] },
  // With waits for a provider that is away, figures of an ended run, what a retry takes over, and
  // what gives up a call for its silence or for a stop; how plugins remove containers, and which
  // numbers of theirs are believed; how far the clocks of process and store are apart; which
  // folder has a misspelt name. The words that an agent is told stand in files of their own, those
  // of its tools, its calls and its plan apart; and what tokens cost, for models and harnesses.
  { line: 'run talk --input hi', atMost: 595, without: ['ink', 'react', 'fastify', 'pg', '@opentelemetry'] },
] as const;

describe.each(WORK)('kit $line, not on a terminal', ({ line, atMost, without }) => {
  it(`loads at most ${atMost} modules, and none of what it does not use`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'kit-budget-workspace-'));
    try {
      for (const [path, text] of Object.entries(talk())) {
        await mkdir(dirname(join(dir, path)), { recursive: true });
        await writeFile(join(dir, path), text);
      }

      const modules = await modulesOf([...line.split(' '), '-w', dir], home.env);

      console.log(`kit ${line}: ${modules.length} modules`);
      expect(modules.length).toBeGreaterThan(100);
      expect(modules.length).toBeLessThanOrEqual(atMost);
      expect(heavyIn(modules, without)).toEqual([]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

it('prints how long a start takes beside bare Node', async () => {
  const timed = (run: () => unknown): number => {
    const startedMs = performance.now();
    run();
    return performance.now() - startedMs;
  };
  const median = (run: () => unknown): number => [1, 2, 3, 4, 5].map(() => timed(run)).sort((a, b) => a - b)[2]!;
  const spawn = (...args: readonly string[]) => spawnSync(process.execPath, args, { env: home.env });

  const bareMs = median(() => spawn('-e', '0'));
  const kitMs = median(() => spawn(join(import.meta.dirname, '../../bin/kit.js'), '--version'));

  // goal: bare + 120 ms; never asserted, because a shared machine decides it
  console.log(
    `node -e 0: ${bareMs.toFixed(0)} ms, kit --version: ${kitMs.toFixed(0)} ms (+${(kitMs - bareMs).toFixed(0)} ms)`,
  );
  expect(kitMs).toBeGreaterThan(0);
});
