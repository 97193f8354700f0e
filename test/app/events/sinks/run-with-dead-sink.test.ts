import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contribution as webhook } from '../../../../plugins/sinks/src/webhook.js';
import { startDelivery } from '../../../../src/app/events/sinks/delivery.js';
import { createTestContext } from '../../../../src/domain/testing.js';
import { createClock } from '../../../../src/system/clock.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { openReceiver } from '../../../support/http/receiver.js';
import { openSceneApp } from '../../../support/scene/scene-app.js';
import { startOf } from '../../../support/scene/start-of.js';

it('a run ends while the sink that it is told to has not answered', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kit-dead-sink-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(gated())) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const app = openSceneApp(directory, { env: {} });
  onTestFinished(() => app.close());
  const stores = await (await app.session()).openStores();
  let answers = 0;
  const { url, received } = await openReceiver((_n, response) => void response.on('close', () => (answers += 1)));
  const start = () =>
    startDelivery(stores, {
      clock: createClock(),
      random: () => 0,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      holder: 'server-1',
      atStart: 'refuse',
      lead: 'sinks',
      figures: async () => [],
      current: async () => ({
        id: 'shop',
        server: { publicUrl: null },
        sinks: [{ sink: 'webhook', config: { url }, types: [] }],
      }),
      openSink: async (_name, config) => webhook.create(config, createTestContext({ fetch: globalThis.fetch })),
    });
  const run = async (): Promise<void> => {
    const handle = await app.runs.start(startOf(directory, { topology: 'release', input: 'write it' }));
    expect((await handle.done).status).toBe('deferred');
  };
  const delivery = await start();
  // Its first look may come after the events of a run: then the next one tells it.
  await expect
    .poll(async () => {
      await run();
      return received.length;
    })
    .toBe(1);

  await run();

  // Its first request still waits: had the run waited, too, that would have been given up before.
  expect([received.length, answers]).toEqual([1, 0]);
  await delivery.stop();
});
