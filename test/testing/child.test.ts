import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildEnd, runChild } from '../../src/testing/check/child.js';
import { isProbeReport } from '../../src/testing/check/probe-report.js';
import { isContractMessage } from '../../src/testing/check/run-contract.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-child-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(
  source: string,
  limits: { readonly silentMs: number; readonly lingerMs: number },
): Promise<{ end: ChildEnd; messages: unknown[] }> {
  const file = join(folder, 'child.mjs');
  await writeFile(file, source);
  const messages: unknown[] = [];
  const parts = { preload: 'data:text/javascript,', env: {} };
  const end = await runChild(parts, { file, args: [], nodeArgs: [], ...limits }, (message) => messages.push(message));
  return { end, messages };
}

describe('a process that runs a plugin', () => {
  it('is killed when it blocks', async () => {
    const { end } = await run('for (;;);', { silentMs: 1_500, lingerMs: 1_000 });

    expect(end).toMatchObject({ isKilled: true, signal: 'SIGKILL' });
  });

  it('is killed when it lives on after it has told everything', async () => {
    const { end, messages } = await run(
      "setInterval(() => {}, 1000); process.send('told', () => process.disconnect());",
      {
        silentMs: 60_000,
        lingerMs: 300,
      },
    );

    expect([end.isKilled, messages]).toEqual([true, ['told']]);
  });

  it('that ends by itself is left alone, and what it printed is kept up to a bound', async () => {
    const { end } = await run(
      "process.stdout.write('x'.repeat(100_000)); process.stderr.write('y'); process.disconnect();",
      {
        silentMs: 60_000,
        lingerMs: 60_000,
      },
    );

    expect(end).toMatchObject({ isKilled: false, exitCode: 0, stderr: 'y' });
    expect(end.stdout.length).toBeLessThanOrEqual(4_000);
  });

  it.each([
    null,
    'text',
    {},
    { type: 'case' },
    { type: 'case', name: 'x', violation: 1, notExercised: null },
    { importMs: 1 },
    { type: 'created' },
  ])('cannot pass %j off as a report of kit', (message) => {
    expect([isProbeReport(message), isContractMessage(message)]).toEqual([false, false]);
  });
});
