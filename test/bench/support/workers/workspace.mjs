import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const model = { provider: 'mock', name: 'mock' };

const topology = (name, root) => ({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name, version: '1.0.0' },
  agents: { root: { id: 'solo', role: 'root', model, ...root } },
});

/**
 * Two model calls and nothing else: the first answer does not fit, so the agent is asked once more.
 */
const twoCalls = (latency) => ({
  model: {
    ...model,
    options: {
      script: [
        { text: 'not yet', ...latency },
        { json: { done: true }, ...latency },
      ],
    },
  },
  output_schema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
});

/** Runs at once in one worker process; peers get the same number. */
export const SLOTS = 50;
/** How long a step of the latency-bound load takes. */
export const STEP_MS = 250;

/** Longer than somebody looks at it. */
const WAITING_MS = 12_000;

const documents = (slots) => ({
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'bench', name: 'Bench' },
    memory: { enabled: false },
    server: { jobs: { max_concurrent: slots } },
    storage: { runtime: { backend: 'postgres', url: '${BENCH_STORE_URL}' } },
  },
  'topologies/two.yaml': topology('two', twoCalls({})),
  'topologies/slow.yaml': topology('slow', twoCalls({ latency_ms: STEP_MS })),
  'topologies/waiting.yaml': topology('waiting', twoCalls({ latency_ms: WAITING_MS })),
});

/** Writes the workspace of the workers' bench: what a person would write, nothing else. */
export function writeWorkersWorkspace(directory, { slots = SLOTS } = {}) {
  for (const [path, document] of Object.entries(documents(slots))) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), `${JSON.stringify(document, null, 2)}\n`);
  }
}

/** Of a process of this workspace: nothing of the person who runs the bench. */
export const workerEnv = (directory, url) => ({
  HOME: directory,
  XDG_CONFIG_HOME: join(directory, 'config'),
  BENCH_STORE_URL: url,
});
