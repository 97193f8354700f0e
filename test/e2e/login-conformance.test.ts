import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { openLoginDriver } from '../support/mcp/login-driver.js';
import { resultsIn } from '../support/mcp/suite-results.js';

const ONE = '@modelcontextprotocol/conformance';
const ran = new Set<string>();

/** By name, and for no other reason than that they are other grants. */
const OTHER_GRANTS = [
  'auth/client-credentials-basic',
  'auth/client-credentials-jwt',
  'auth/cross-app-access-complete-flow',
];

let driver: Awaited<ReturnType<typeof openLoginDriver>>;
let directory: string;
beforeAll(async () => {
  [driver, directory] = await Promise.all([openLoginDriver(), mkdtemp(join(tmpdir(), 'kit-login-suite-'))]);
});
afterAll(async () => {
  await driver.close();
  await rm(directory, { recursive: true, force: true });
});

function run(suite: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(projectRoot, 'node_modules', suite, 'dist/index.js'), ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}

const SUITES = [
  { suite: ONE, args: ['--suite', 'auth'], scenarios: 14 },
  { suite: ONE, args: ['--suite', 'backcompat'], scenarios: 2 },
  { suite: ONE, args: ['--suite', 'draft'], scenarios: 3 },
  ...[
    'iss-supported',
    'iss-not-advertised',
    'iss-supported-missing',
    'iss-wrong-issuer',
    'iss-unexpected',
    'iss-normalized',
    'metadata-issuer-mismatch',
    'authorization-server-migration',
  ].map((name) => ({
    suite: 'conformance-next',
    args: ['--scenario', `auth/${name}`, '--spec-version', '2026-07-28'],
    scenarios: 1,
  })),
];

describe('a login as a client of MCP, by the official suite', () => {
  it.each(SUITES)(
    '$suite $args',
    async ({ suite, args, scenarios }) => {
      const out = await mkdtemp(join(directory, 'out-'));
      const said = await run(suite, ['client', '--command', driver.command, ...args, '--output-dir', out]);
      const results = await resultsIn(out);
      const judged = Object.entries(results);
      if (suite === ONE) for (const [name] of judged) ran.add(`auth/${name}`);
      const bad = judged.flatMap(([name, checks]) =>
        checks.flatMap(({ id, status, errorMessage = '' }) =>
          status === 'FAILURE' || status === 'WARNING' ? [`${name}: ${id}: ${status} ${errorMessage}`] : [],
        ),
      );
      expect(bad, said).toEqual([]);
      expect(judged.length, said).toBe(scenarios);
    },
    120_000,
  );

  it('leaves out other grants, by name, and nothing else', async () => {
    const listed = await run(ONE, ['list', '--client']);
    const names = [...listed.matchAll(/^ {2}- (auth\/\S+)/gm)].map((found) => found[1] ?? '');

    expect(names.filter((name) => !ran.has(name)).toSorted()).toEqual(OTHER_GRANTS);
  });
});
