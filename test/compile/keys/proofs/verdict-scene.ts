import type { Documents } from '../../../support/shows-effect.js';

const provenance = { authored_by: 'human', version: '1.0.0' };
const described = (id: string) => ({ id, name: id, description: `The artifact called ${id}.` });
const head = (kind: string) => ({ apiVersion: 'kit/v1', kind });

/**
 * A workspace with one artifact of every kind; the first file of a kind is the one that a proof
 * changes.
 */
export const VERDICTS: Documents = {
  'workspace.json': {
    ...head('Workspace'),
    metadata: { id: 'w', name: 'W' },
    governance: { provider: 'mock', limits: {} },
    memory: { enabled: false },
    credentials: { token: { source: 'env', config: { env: 'TOKEN' } } },
    mcp_servers: [{ id: 'server', transport: 'stdio', command: ['serve'] }],
    command_packs: [
      {
        id: 'pack',
        requires: [{ binary: 'sh' }],
        commands: [{ id: 'command', argv: ['echo', '{text}'], effects: 'read', output: { parse: 'text' } }],
      },
    ],
  },
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: {
      root: {
        id: 'root',
        role: 'root',
        archetype: 'first',
        children: [
          { id: 'one', role: 'worker', depends_on: ['two'] },
          { id: 'two', role: 'worker' },
        ],
      },
    },
  },
  'topologies/second.json': {
    ...head('Topology'),
    metadata: { name: 'second', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', archetype: 'second' } },
  },
  'archetypes/first.json': {
    ...head('Archetype'),
    metadata: described('first'),
    role: 'root',
    defaults: {},
    provenance,
  },
  'archetypes/second.json': {
    ...head('Archetype'),
    metadata: described('second'),
    role: 'root',
    defaults: {},
    executor: { kind: 'harness', ref: 'tool', config: {} },
    provenance,
  },
  'skills/ask.json': {
    ...head('Skill'),
    metadata: described('ask'),
    category: 'capability',
    implementation: { type: 'llm_prompt', prompt: 'Answer.' },
    provenance,
  },
  'skills/judge.json': {
    ...head('Skill'),
    metadata: described('judge'),
    category: 'decision',
    outputs: { type: 'object', properties: { reasoning: { type: 'string' } } },
    implementation: { type: 'llm_prompt', prompt: 'Judge.' },
    provenance,
  },
  'funnels/gate.json': {
    ...head('Funnel'),
    metadata: described('gate'),
    approve: { rules: [{ scope: 'release:approve', roles: ['lead'], quorum: 'all' }], exclude_author: false },
    provenance,
  },
  'roles/people.json': {
    ...head('RoleRegistry'),
    metadata: { id: 'people', name: 'People' },
    roles: [
      { id: 'lead', members: ['alice'], scopes: ['release:approve'] },
      { id: 'other', members: [], scopes: ['other:approve'] },
    ],
    identities: [
      { id: 'alice', aliases: [] },
      { id: 'bob', aliases: [] },
    ],
  },
  'contracts/api.json': { ...head('Contract'), metadata: described('api'), parties: ['web', 'shop'], provenance },
  'triggers/hand.json': {
    ...head('Trigger'),
    metadata: { id: 'hand', name: 'Hand' },
    type: 'manual',
    targets: ['main'],
  },
  'adapters/tool.json': {
    ...head('ExecutorAdapter'),
    metadata: described('tool'),
    spec: {
      launch: {
        command: ['tool', '{task.statement}'],
        optional_args: [{ when: 'config.model', args: ['--model', '{config.model}'] }],
      },
      auth: { default: 'api_key', modes: { api_key: {}, subscription: {} } },
      stream: { format: 'jsonl' },
      event_map: [
        { when: { type: 'x' }, emit: [{ event: 'result', with: { status: { from: '$.s', map: 'status_map' } } }] },
      ],
      status_map: { ok: 'success' },
    },
    provenance,
  },
  'providers/local.json': {
    ...head('ModelProvider'),
    metadata: described('local'),
    spec: { extends: 'openai-compatible', base_url: 'http://localhost:1/v1' },
    provenance,
  },
  'evals/smoke.json': {
    ...head('EvalSet'),
    metadata: { id: 'smoke' },
    target: 'main',
    cases: [
      { id: 'a', input: 'x' },
      { id: 'b', input: 'y' },
    ],
  },
  'evals/two.json': { ...head('EvalSet'), metadata: { id: 'more' }, target: 'main', cases: [{ id: 'a', input: 'x' }] },
};
