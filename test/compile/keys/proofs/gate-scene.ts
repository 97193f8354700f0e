import { planToWire } from '../../../../plugins/run/src/describe-plan.js';
import { isKitError } from '../../../../src/domain/errors.js';
import { openSceneApp } from '../../../support/scene/scene-app.js';
import type { Documents, Observe } from '../../../support/shows-effect.js';
import { described, head, provenance, workspace } from './agent-scene.js';

const judge = (id: string, prompt: string) => ({
  ...head('Skill'),
  metadata: described(id),
  category: 'decision',
  outputs: { type: 'object', properties: { reasoning: { type: 'string' } } },
  implementation: { type: 'llm_prompt', prompt },
  provenance,
});

const reviewer = (id: string) => ({
  ...head('Archetype'),
  metadata: described(id),
  role: 'worker',
  defaults: { model: { provider: 'mock' } },
  executor: { kind: 'harness', ref: 'claude-code' },
  provenance,
});

/** A root behind a funnel with every layer. */
export const GATES: Documents = {
  'workspace.json': workspace,
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', funnel: 'gate', model: { provider: 'mock' } } },
  },
  'archetypes/critic.json': reviewer('critic'),
  'archetypes/second-critic.json': reviewer('second-critic'),
  'skills/judge.json': judge('judge', 'Judge.'),
  'skills/second-judge.json': judge('second-judge', 'Judge again.'),
  'funnels/gate.json': {
    ...head('Funnel'),
    metadata: described('gate'),
    validate: { slice_budget: {} },
    judge: { skill: 'judge' },
    review: { archetype: 'critic' },
    approve: { rules: [{ scope: 'release:approve', roles: ['lead', 'qa'], quorum: 'all' }] },
    provenance,
  },
  'funnels/other.json': {
    ...head('Funnel'),
    metadata: described('other'),
    approve: { rules: [{ scope: 'release:approve', roles: ['lead'], quorum: 'all' }] },
    provenance,
  },
  'roles/people.json': {
    ...head('RoleRegistry'),
    metadata: { id: 'people', name: 'People' },
    roles: [
      { id: 'lead', members: ['alice'], scopes: ['release:approve', 'release:sign'] },
      { id: 'qa', members: ['bob'], scopes: ['release:approve', 'release:sign'] },
    ],
    identities: [{ id: 'alice', aliases: [] }],
  },
  // Files that a layer may name: their content is what counts.
  'files/strict.json': { type: 'object', required: ['summary'] },
  'files/loose.json': { type: 'object' },
};

/** What `kit run --dry-run --json` says, submitted as `tester`; or the code of the refusal. */
export const planOf: Observe = async (directory) => {
  const app = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: `${directory}/.kit` } });
  const submittedBy = { identity: 'tester', assurance: 'asserted' } as const;
  const rest = { attachments: [], correlationId: null, labels: {}, supersedes: null, timeoutMs: null, trust: [] };
  try {
    return planToWire(await app.runs.plan({ workspace: directory, topology: 'main', submittedBy, ...rest }));
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { refused: error.code };
  } finally {
    await app.close();
  }
};
