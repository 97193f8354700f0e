import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Agents of the chain: a leader and nine workers, each of which waits for the one before. */
export const AGENTS = 10;
/** The leader speaks twice: it delegates, and it answers with what came back. */
export const MODEL_CALLS = AGENTS + 1;

const model = { provider: 'mock', name: 'mock' };

const children = Array.from({ length: AGENTS - 1 }, (_, n) => ({
  id: `w${n + 1}`,
  role: 'worker',
  model,
  ...(n === 0 ? {} : { depends_on: [`w${n}`] }),
}));

const DOCUMENTS = {
  // JSON is YAML. The audit level is the most detailed one.
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'bench', name: 'Bench', description: 'A chain of ten agents that do nothing.' },
    audit: { level: 'detailed' },
    governance: { provider: 'mock' },
    memory: { enabled: false },
  },
  'topologies/chain.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name: 'chain', version: '1.0.0', description: 'Ten agents, one after another.' },
    agents: { root: { id: 'lead', role: 'root', model, children } },
  },
};

/** Writes the workspace of the chain: what a person would write, nothing else. */
export function writeChainWorkspace(directory) {
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), `${JSON.stringify(document, null, 2)}\n`);
  }
}
