import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { runScene } from '../../support/scene/run-scene.js';
import { observedWith } from '../../support/shows-effect.js';
import { proveByRun } from './proofs/run-proofs.js';
import { TOOL_PROOFS } from './proofs/tool-proofs.js';
import { TOOLS } from './proofs/tool-scene.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(TOOL_PROOFS)('$key changes what a tool of a server does', (proof) =>
  proveByRun(proof, { base: TOOLS, model }),
);

test('a server is opened by the source of a plugin that it names', async ({ expect }) => {
  const seen = await observedWith(
    { 'Workspace.mcp_servers.*.source': 'wiki' },
    {
      base: TOOLS,
      observe: (directory) => runScene(directory, { model, env: { TOKEN: 'secret-one', OTHER: 'a-longer-secret' } }),
    },
  );

  expect(JSON.parse(seen)).toMatchObject({ refused: null, status: 'completed' });
});
