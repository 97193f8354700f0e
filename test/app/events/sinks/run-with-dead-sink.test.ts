import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contribution as webhook } from '../../../../plugins/sinks/src/webhook.js';
import { startDelivery } from '../../../../src/app/events/sinks/delivery.js';
import { createTestContext } from '../../../../src/domain/testing.js';
import { createClock } from '../../../../src/system/clock.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { hang, openReceiver } from '../../../support/http/receiver.js';
import { openSceneApp } from '../../../support/scene/scene-app.js';

/**
 * A run that waited for its sink would take 10 s and more; twice as long is the noise of a loaded
 * machine.
 */
const MAX_RATIO = 2;
const RUNS = 7;

it('a run beside a sink that never answers takes no longer than one without', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kit-dead-sink-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(gated())) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const app = openSceneApp(directory, { env: {} });
  onTestFinished(() => app.close());
  const stores = await (await app.session()).openStores();
  const { url, received } = await openReceiver(hang);
  const start = () =>
    startDelivery(stores, {
      clock: createClock(),
      random: () => 0,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      holder: 'server-1',
      lead: 'sinks',
      figures: async () => [],
      current: async () => ({
        id: 'shop',
        server: { publicUrl: null },
        sinks: [{ sink: 'webhook', config: { url }, types: [] }],
      }),
      openSink: async (_name, config) => webhook.create(config, createTestContext({ fetch: globalThis.fetch })),
    });
  const runMs = async (): Promise<number> => {
    const beganMs = performance.now();
    const handle = await app.runs.start({
      workspace: directory,
      topology: 'release',
      input: 'write it',
      attachments: [],
      correlationId: null,
      labels: {},
      supersedes: null,
      submittedBy: { identity: 'dana', assurance: 'asserted' },
      timeoutMs: null,
      trust: [],
    });
    expect((await handle.done).status).toBe('deferred');
    return performance.now() - beganMs;
  };
  await runMs();
  const figures: { readonly without: number[]; readonly beside: number[] } = { without: [], beside: [] };
  for (let turn = 0; turn < RUNS; turn += 1) {
    figures.without.push(await runMs());
    const delivery = await start();
    figures.beside.push(await runMs());
    await delivery.stop();
  }
  expect(received.length).toBeGreaterThanOrEqual(1);
  expect(Math.min(...figures.beside) / Math.min(...figures.without)).toBeLessThan(MAX_RATIO);
});
