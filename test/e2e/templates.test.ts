import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { makeRepositoryIn } from './repository.js';
import { lastOf, makeWorld, type World } from './world.js';

const TEMPLATES = readdirSync(join(projectRoot, 'templates')).filter((name) => name !== 'plugins');

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** No model of this machine is chosen for a new workspace, and none is asked. */
const OFFLINE = { OLLAMA_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '' };
/** What some templates want to be set before they start. */
const KEYS = Object.fromEntries(
  ['OPERATOR', 'CALLER', 'ADA', 'GRACE', 'CI'].map((who) => [`KIT_KEY_${who}`, `a-key-of-a-test-for-${who}`]),
);

/** A template in a repository of its own, as `kit init` writes it. */
async function made(template: string, place: string): Promise<string> {
  const { root } = makeRepositoryIn(world, place, {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'a.test.js': "import test from 'node:test';\ntest('holds', () => {});\n",
  });
  const written = await world.here(['init', join(root, 'kit'), '--template', template, '--yes'], { env: OFFLINE });
  expect(written.code, written.stderr).toBe(0);
  return join(root, 'kit');
}

describe('each template', () => {
  it.each(TEMPLATES)('%s is valid without a warning, and all that it declares is reached', async (template) => {
    const dir = await made(template, `valid-${template}`);
    const store = template === 'deploy' ? { KIT_STORE_URL: 'postgres://kit@127.0.0.1:9/kit' } : {};

    const result = await world.here(['validate', dir, '--require', '--json'], {
      env: { ...OFFLINE, ...KEYS, ...store },
    });

    expect(result.code, result.stdout).toBe(0);
    expect(lastOf(result)).toMatchObject({ status: 'ok', errors: 0, warnings: 0 });
  });

  it.each(TEMPLATES)('%s has a README that names it, its files and what makes it real', (template) => {
    const folder = join(projectRoot, 'templates', template);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
    const named = [...readme.matchAll(/`((?:[\w-]+\/)+[\w.-]*|[\w-]+\.yaml)`/g)].map(([, path]) => String(path));
    const missing = named.filter(
      (path) =>
        !path.startsWith('templates/') && ![...files].some((file) => `${file}/`.endsWith(path) || file.endsWith(path)),
    );

    expect(readme).toMatch(/^# \S/);
    expect(readme).toMatch(/^ {4}(kit|docker) /m);
    expect(missing).toEqual([]);
  });
});

/**
 * Lines of a README that need what a test has not: a key, a model server, a container, the network,
 * an open terminal.
 */
const NEEDS_MORE = /^([A-Z]+_API_KEY=|ollama |kit run ask |docker |cp compose|curl |git diff |kit serve$)/;

/** The command lines of a README, in their order. */
const linesOf = (template: string): readonly string[] =>
  readFileSync(join(projectRoot, 'templates', template, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim())
    .filter((line) => !NEEDS_MORE.test(line));

/** All of them pasted into one shell; rejects at the first that fails. */
function paste(dir: string, lines: readonly string[]): Promise<string> {
  const kit = `kit() { ${JSON.stringify(process.execPath)} ${JSON.stringify(join(projectRoot, 'bin', 'kit.js'))} "$@"; }`;
  return new Promise((resolve, reject) => {
    const env = { ...world.env, ...OFFLINE };
    execFile('bash', ['-c', `set -e\n${kit}\n${lines.join('\n')}\n`], { cwd: dir, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${stdout}\n${stderr}`));
    });
  });
}

const ROWS: readonly { readonly template: string; readonly shows: readonly RegExp[] }[] = [
  { template: 'pr-review', shows: [/"line":3.*"severity":"high"/] },
  {
    template: 'harness',
    shows: [/is approved/, /approved by ada/, /"tests":"passed"/, /applied 1 file/, /coder: signed|signed by ada/],
  },
  { template: 'nightly-tests', shows: [/"outcome":"passed"/, /nightly +cron +nightly-tests +active/, /completed/] },
  { template: 'research-team', shows: [/\(costs\.md\)/, /names-its-sources/, /search-library/] },
  {
    template: 'support-triage',
    shows: [/is approved by ada/, /support 1\.0\.0 +completed/, /annual, bought in March/],
  },
  { template: 'data-extraction', shows: [/"date":"2026-03-12"/, /invoices: 1 of 1 passed/] },
  { template: 'local-model', shows: [/mock answer to: Where is the valve/] },
  { template: 'team-server', shows: [/ok team-server/] },
];

describe('the README of', () => {
  it.each(ROWS)('$template works as pasted, offline and without a key', async ({ template, shows }) => {
    const dir = await made(template, `shown-${template}`);
    const lines = linesOf(template);

    const shown = await paste(dir, lines);

    expect(lines.length).toBeGreaterThan(0);
    for (const pattern of shows) expect(shown).toMatch(pattern);
  });
});
