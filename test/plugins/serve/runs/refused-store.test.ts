import { expect, it } from 'vitest';
import { KitError } from '../../../../src/domain/errors.js';
import type { Stores } from '../../../../src/domain/ports/stores.js';
import { overriding } from '../../../engine/laws.js';
import { submitted, untilStatus } from '../../../support/http/ask.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { withServeScene } from '../../../support/http/serve-scene.js';

/** A store that does not take the end of any step. */
const refusing = (stores: Stores): Stores =>
  overriding(stores, {
    runs: overriding(stores.runs, {
      commit: async (fence, writes) => {
        if (writes.some(({ op }) => op !== 'step.started'))
          throw new KitError('KIT_STORE_REFUSED', 'the store refused a statement: row is too big');
        return stores.runs.commit(fence, writes);
      },
    }),
  });

it('a run of a server that the store refuses for itself fails after three claims, with the words of the store', async () => {
  await withServeScene(
    idleWorkspace(),
    async (scene) => {
      const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
      const failed = await untilStatus(scene, id, 'failed');
      expect(failed).toMatchObject({
        reason: 'crash_loop',
        attempt: 3,
        error: expect.stringContaining('row is too big'),
      });
    },
    { wrap: refusing },
  );
});

it('kit run says what the store refused, and how to go on', async () => {
  await withServeScene(
    idleWorkspace(),
    async ({ runs, directory }) => {
      const handle = await runs.start({
        ...{
          workspace: directory,
          topology: 'idle',
          input: 'x',
          attachments: [],
          correlationId: null,
          labels: {},
          supersedes: null,
        },
        ...{ timeoutMs: null, trust: [], submittedBy: { identity: 'tester', assurance: 'asserted' } },
      });
      await expect(handle.done).rejects.toMatchObject({
        code: 'KIT_STORE_REFUSED',
        message: `the store did not take what run ${handle.job.id} had to record: the store refused a statement: row is too big`,
        hint: expect.stringContaining(`--resume=${handle.job.id}`),
      });
    },
    { wrap: refusing },
  );
});
