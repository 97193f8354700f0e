import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Agents of the chain: a leader and nine workers, each of which waits for the one before. */
export const AGENTS = 10;
/** The leader speaks twice: it delegates, and it answers with what came back. */
export const MODEL_CALLS = AGENTS + 1;
/**
 * Turns that the long conversation has had when it is stopped: a model call, a child's activation
 * and its model call each. A bench that asks for another length sets KIT_BENCH_TURNS.
 */
export const LONG_TURNS = Number(process.env.KIT_BENCH_TURNS ?? 334);

const model = { provider: 'mock', name: 'mock' };

/** In the midst of the chain: what a run holds by then is about what it holds on average. */
const MIDDLE = `w${AGENTS / 2}`;
const held = { ...model, options: { script: [{ text: 'at last', latency_ms: 3_600_000 }] } };

const childrenOf = (isHeld) =>
  Array.from({ length: AGENTS - 1 }, (_, n) => ({
    id: `w${n + 1}`,
    role: 'worker',
    model: isHeld && `w${n + 1}` === MIDDLE ? held : model,
    ...(n === 0 ? {} : { depends_on: [`w${n}`] }),
  }));

const chain = (name, isHeld) => ({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name, version: '1.0.0', description: 'Ten agents, one after another.' },
  agents: { root: { id: 'lead', role: 'root', model, children: childrenOf(isHeld) } },
});

/** A leader that gives its one child another part in every turn. */
const script = Array.from({ length: LONG_TURNS + 1 }, (_, n) => ({
  tool_calls: [{ name: 'delegate_to_w1', input: { task: `Part ${n}.` } }],
}));

const DOCUMENTS = {
  // JSON is YAML. The audit level is the most detailed one.
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: {
      id: 'bench',
      name: 'Bench',
      description: 'Agents that do nothing: a chain of ten, and one that talks for long.',
    },
    audit: { level: 'detailed' },
    governance: { provider: 'mock', limits: { max_steps_per_run: 10 * LONG_TURNS } },
    memory: { enabled: false },
  },
  'topologies/chain.yaml': chain('chain', false),
  /** The same, whose middle agent waits for its model for an hour. */
  'topologies/held.yaml': chain('held', true),
  'topologies/long.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name: 'long', version: '1.0.0', description: 'One agent, very many turns.' },
    agents: {
      root: {
        id: 'lead',
        role: 'root',
        model: { ...model, options: { script } },
        children: [{ id: 'w1', role: 'worker', model }],
      },
    },
  },
};

/** Writes the workspace of the chain: what a person would write, nothing else. */
export function writeChainWorkspace(directory) {
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), `${JSON.stringify(document, null, 2)}\n`);
  }
}
