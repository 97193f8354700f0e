import { afterAll, beforeAll, expect, test } from 'vitest';
import { HARNESS, makeToolRepository, type ToolRepository } from '../../compile/keys/proofs/harness-scene.js';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { runScene } from '../../support/scene/run-scene.js';
import { observedWith } from '../../support/shows-effect.js';

const SPEC = 'ExecutorAdapter.spec';
const LIMIT = 'Workspace.governance.limits.max_cost_per_run_usd';
/** The tool says 7 tokens and half a dollar. */
const PAID = { [`${SPEC}.event_map.2.emit`]: [{ event: 'usage', with: { input_tokens: 7, cost_usd: 0.5 } }] };
const OPAQUE = { ...PAID, [`${SPEC}.telemetry_grade`]: 'opaque' };

let model: EagerModel;
let repository: ToolRepository;
beforeAll(async () => {
  [model, repository] = await Promise.all([startEagerModel(), makeToolRepository()]);
});
afterAll(() => Promise.all([model.close(), repository.remove()]));

async function runWith(
  changes: Readonly<Record<string, unknown>>,
): Promise<{ readonly refused: string | null; readonly seen: string }> {
  let refused: string | null = null;
  const seen = await observedWith(changes, {
    base: HARNESS,
    prepare: (directory) => repository.copyTo(directory),
    observe: async (directory) => {
      const scene = await runScene(directory, { model });
      refused = scene.refused;
      return scene.seen;
    },
  });
  return { refused, seen };
}

test('what an opaque harness says that it used counts for nothing, and its cost is unknown', async () => {
  const [reported, unreported] = await Promise.all([runWith(PAID), runWith(OPAQUE)]);

  expect(reported.seen).toContain('"usage":{"input_tokens":7,"output_tokens":0,"cost_usd":0.5}');
  expect(unreported.seen).toContain('"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null}');
});

test('no run with a cost limit starts on an opaque harness, and one that tells its costs does', async () => {
  expect((await runWith({ ...PAID, [LIMIT]: 1 })).refused).toBeNull();
  expect((await runWith({ ...OPAQUE, [LIMIT]: 1 })).refused).toBe('KIT_PRICE_UNKNOWN');
});

test('nor does one whose limit is the own one of its harness', async () => {
  const own = { 'Archetype.executor.config': { budget: { max_cost_usd: 1 } } };

  expect((await runWith({ ...PAID, ...own })).refused).toBeNull();
  expect((await runWith({ ...OPAQUE, ...own })).refused).toBe('KIT_PRICE_UNKNOWN');
});

test('a harness leaves the files that its profile names', async () => {
  const launch = ['sh', '-c', 'echo x > picture.png; exec sh tool.sh'];
  const left = async (profile: string) => {
    const { seen } = await runWith({ [`${SPEC}.launch.command`]: launch, [`${SPEC}.artifacts.profile`]: profile });
    return ['changed.txt', 'picture.png'].filter((name) => seen.includes(`diff --git a/${name}`));
  };

  expect(await left('files')).toEqual(['changed.txt', 'picture.png']);
  expect(await left('media')).toEqual(['picture.png']);
  expect(await left('structured')).toEqual([]);
});
