import { isKitError } from '../../../../src/domain/errors.js';
import { openSceneApp } from '../../../support/scene/scene-app.js';
import type { Documents, Observe } from '../../../support/shows-effect.js';
import { described, head, provenance, workspace } from './agent-scene.js';
import type { EffectProof } from './proof.js';

const gated = (name: string, queue: string) => ({
  ...head('Topology'),
  metadata: { name, version: '1.0.0' },
  agents: { root: { id: 'root', role: 'root', funnel: 'gate', model: { provider: 'mock' } } },
  artifacts: { review_queues: [{ id: queue }] },
});

/** Two topologies that ask people, each in a queue. */
export const QUEUES: Documents = {
  'workspace.json': workspace,
  'topologies/main.json': gated('main', 'legal'),
  'topologies/other.json': gated('other', 'finance'),
  'funnels/gate.json': {
    ...head('Funnel'),
    metadata: described('gate'),
    approve: { rules: [{ scope: 'release:approve', roles: ['lead'], quorum: 'all' }], exclude_author: false },
    provenance,
  },
  'roles/people.json': {
    ...head('RoleRegistry'),
    metadata: { id: 'people', name: 'People' },
    roles: [{ id: 'lead', members: ['alice'], scopes: ['release:approve'] }],
    identities: [],
  },
};

/** How many items of a run of each topology stand in the queue `legal`. */
export const observeQueue: Observe = async (directory) => {
  const app = openSceneApp(directory, {
    env: { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: `${directory}/.config` },
  });
  const rest = {
    input: 'x',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    timeoutMs: null,
    trust: [],
  };
  try {
    for (const topology of ['main', 'other'])
      await (
        await app.runs.start({
          workspace: directory,
          topology,
          submittedBy: { identity: 'ada', assurance: 'asserted' },
          ...rest,
        })
      ).done;
    const page = await app.review.list({
      workspace: directory,
      kind: null,
      gate: null,
      queue: 'legal',
      show: 'pending',
      limit: 10,
      afterId: null,
    });
    return { items: page.items.map(({ topologyId }) => topologyId), total: page.total };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { refused: error.code, hint: error.hint };
  } finally {
    await app.close();
  }
};

export const QUEUE_PROOFS: readonly EffectProof[] = [
  { key: 'Topology.artifacts.review_queues.*.id', a: 'legal', b: 'finance' },
];
