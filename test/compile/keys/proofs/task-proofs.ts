import { join } from 'node:path';
import { openSceneApp } from '../../../support/scene/scene-app.js';
import type { Documents, Observe } from '../../../support/shows-effect.js';
import { PLANS } from './planning-proofs.js';
import type { EffectProof } from './proof.js';

const [path, topology] = Object.entries(PLANS).find(([, { kind }]) => kind === 'Topology') ?? ['', {}];
const { root } = (topology as { readonly agents: { readonly root: object } }).agents;

/** A coordinator that plans two tasks in one batch, for two agents that take their time. */
export const TASKS: Documents = {
  ...PLANS,
  [path]: {
    ...topology,
    agents: {
      root: { ...root, children: ['one', 'two'].map((id) => ({ id, role: 'worker', model: { provider: 'mock' } })) },
    },
    runtime: { planning: { scope_required: false } },
  },
};

/** What becomes of a run of `main`, and how many of its two workers were at work at once. */
export const observeTasks: Observe = async (directory) => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, '.config'),
    KIT_MOCK_LATENCY_MS: '1300',
    MODEL_URL: 'http://127.0.0.1:1',
  };
  const app = openSceneApp(directory, { env });
  try {
    const handle = await app.runs.start({
      workspace: directory,
      topology: 'main',
      input: 'x',
      attachments: [],
      correlationId: null,
      labels: {},
      supersedes: null,
      submittedBy: { identity: 'ada', assurance: 'asserted' },
      timeoutMs: null,
      trust: [],
    });
    const { id, status, reason } = await handle.done;
    let atWork = 0;
    let most = 0;
    for (const { type, agentId } of await (await app.stores()).events.readRun(id, 0, 1000)) {
      if (agentId === 'root') continue;
      if (type === 'agent.started') atWork += 1;
      if (type === 'agent.completed') atWork -= 1;
      most = Math.max(most, atWork);
    }
    return { status, reason, most };
  } finally {
    await app.close();
  }
};

/** `runtime` of a topology, as its runs show it. */
export const TASK_PROOFS: readonly EffectProof[] = [
  { key: 'Topology.runtime.max_concurrent_tasks', a: 1, b: 2 },
  { key: 'Topology.runtime.task_timeout_seconds', a: 60, b: 1 },
];
