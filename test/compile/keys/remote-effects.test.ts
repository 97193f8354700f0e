import { afterAll, beforeAll, test } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import type { RemoteAgents } from '../../../src/domain/ports/remote-agents.js';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { showsEffect } from '../../support/shows-effect.js';
import { REMOTE_PROOFS, REMOTE_QUESTION_PROOFS, REMOTES } from './proofs/remote-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

/** An agent that does not know a message again, and one that asks and asks. */
type Kind = 'forgets' | 'asks';

/** What an agent is asked and answered, and what the call comes to. */
const observe =
  (kind: Kind) =>
  async (directory: string): Promise<unknown> => {
    const { url } = model.open();
    const tokens = { PEER_TOKEN: 'one', OTHER_TOKEN: 'two', LOCAL_KEY: 'k', MODEL_URL: url };
    const env = { HOME: directory, PATH: process.env.PATH ?? '', ...tokens };
    const app = openSceneApp(directory, { env });
    const asked: unknown[] = [];
    let answered = 0;
    const card = { ...{ url: 'https://a.example/a2a', version: '1.0', name: 'Away' }, deduplicates: false };
    const remoteAgents: RemoteAgents = {
      card: async ({ signal: _signal, ...agent }) => {
        asked.push(agent);
        return card as never;
      },
      send: async (_agent, _to, { answers }) => {
        if (answers !== undefined) answered += 1;
        if (kind === 'asks') return { id: 't', state: 'input-required', text: 'Which?', gateUrl: null } as never;
        throw new KitError('KIT_OUTBOUND_FAILED', 'it broke off', { data: { isSent: true } });
      },
      get: async () => ({ id: 't', state: 'working' }) as never,
      cancel: async () => undefined,
    };
    try {
      const session = await app.session();
      const { openFacilities } = session;
      Object.assign(session, {
        openFacilities: async (...of: Parameters<typeof openFacilities>) => ({
          ...(await openFacilities(...of)),
          remoteAgents,
        }),
      });
      const handle = await app.runs.start({
        ...{ workspace: directory, topology: 'main', input: 'x', attachments: [], correlationId: null, labels: {} },
        ...{ supersedes: null, submittedBy: { identity: 't', assurance: 'asserted' }, timeoutMs: null, trust: [] },
      });
      const job = await handle.done;
      const stores = await app.stores();
      const events = await stores.events.readRun(job.id, 0, 500);
      const reasons = events.flatMap((event) => (event.type === 'skill.executed' ? [event.payload.reason] : []));
      return { asked: asked[0], reasons, answered };
    } finally {
      await app.close();
    }
  };

test.for(REMOTE_PROOFS)('$key changes what an agent that runs elsewhere is asked', async ({ key, a, b }) => {
  await showsEffect(key, a, b, { base: REMOTES, observe: observe('forgets') });
});

test.for(REMOTE_QUESTION_PROOFS)('$key changes what becomes of a question', async ({ key, a, b }) => {
  await showsEffect(key, a, b, { base: REMOTES, observe: observe('asks') });
});
