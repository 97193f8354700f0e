import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyCheckout } from '../support/checkout-copy.js';

/** Starts kit as a process and imports nothing of what is broken below. */
const SEEN_FROM_OUTSIDE = 'test/e2e/variables.test.ts';
const BUILD_MS = 600_000;

let copy: string;

const run = (file: string, ...args: readonly string[]) =>
  promisify(execFile)(file, args, { cwd: copy, maxBuffer: 64 * 1024 ** 2 });

/** As one commit, with the build of this checkout, so that only what is broken is built again. */
beforeAll(async () => {
  copy = await copyCheckout();
  await run('git', 'init', '--quiet', '--template=');
  await run('git', 'add', '--all');
  await run('git', '-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=first');
}, BUILD_MS);
afterAll(() => rm(copy, { recursive: true, force: true }));

/** What the run of one file ends with, when only what the change reaches is run. */
async function looked(): Promise<{ readonly code: number; readonly ran: number; readonly failed: number }> {
  await run(process.execPath, 'scripts/build.mjs');
  const report = join(copy, '.test-report.json');
  await rm(report, { force: true });
  const code = await run(
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    SEEN_FROM_OUTSIDE,
    '--changed',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ).then(
    () => 0,
    (error: { readonly code?: number }) => error.code ?? 1,
  );
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return { code, ran: 0, failed: 0 };
  const { numTotalTests, numFailedTests } = JSON.parse(text);
  return { code, ran: numTotalTests, failed: numFailedTests };
}

const FAULTS: readonly (readonly [string, string, string, string])[] = [
  // A plugin is compiled alone.
  [
    'a plugin',
    'plugins/run/src/commands/run.ts',
    'override async run(): Promise<unknown> {\n',
    "override async run(): Promise<unknown> {\n    if (process.pid > 0) throw new Error('planted');\n",
  ],
  // Everything is built again where a schema is another: src too.
  ['a schema', 'schemas/kinds/workspace.schema.json', '"const": "kit/v1"', '"const": "kit/v0"'],
];

it(
  'runs nothing where nothing changed',
  async () => {
    expect(await looked()).toEqual({ code: 0, ran: 0, failed: 0 });
  },
  BUILD_MS,
);

it.each(FAULTS)(
  'finds a fault in %s by a test that sees it only through the built CLI',
  async (_, path, right, wrong) => {
    const text = await readFile(join(copy, path), 'utf8');
    expect(text).toContain(right);
    await writeFile(join(copy, path), text.replace(right, wrong));
    try {
      const { code, failed } = await looked();
      expect(code).toBe(1);
      expect(failed).toBeGreaterThan(0);
    } finally {
      await writeFile(join(copy, path), text);
    }
  },
  BUILD_MS,
);
