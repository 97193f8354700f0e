import type { Documents } from '../../../support/shows-effect.js';
import type { EffectProof } from './proof.js';

const head = (kind: string) => ({ apiVersion: 'kit/v1', kind });
const provenance = { authored_by: 'human', version: '1.0.0' };

/** Prints a verdict that depends on nothing but its name. */
const says = (verdict: string) =>
  `console.log(JSON.stringify({ verdict: '${verdict}', confidence: 0.9, reasoning: 'It says ${verdict}.' }))`;
const command = (id: string, verdict: string) => ({
  id,
  argv: ['node', '-e', says(verdict)],
  effects: 'read',
  output: { parse: 'json' },
});
const decision = (id: string) => ({
  ...head('Skill'),
  metadata: { id, name: id, description: `The decision called ${id}.` },
  category: 'decision',
  outputs: { type: 'object', properties: { reasoning: { type: 'string' } } },
  implementation: { type: 'command', pack: 'checks', command: id },
  provenance,
});

/**
 * A topology on the mock provider, whose answer quotes what it was asked, and a set of one case.
 */
export const EVALS: Documents = {
  'workspace.json': {
    ...head('Workspace'),
    metadata: { id: 'w', name: 'W' },
    memory: { enabled: false },
    command_packs: [{ id: 'checks', commands: [command('kind', 'pass'), command('stern', 'fail')] }],
  },
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', model: { provider: 'mock' } } },
  },
  'skills/kind.json': decision('kind'),
  'skills/stern.json': decision('stern'),
  'evals/smoke.json': {
    ...head('EvalSet'),
    metadata: { id: 'smoke' },
    target: 'main',
    cases: [{ id: 'a', input: 'Say hello.', expect: {} }],
  },
};

const expectation = (
  key: string,
  a: unknown,
  b: unknown,
  given: Readonly<Record<string, unknown>> = {},
): EffectProof => ({
  key: `EvalSet.cases.*.expect.${key}`,
  a,
  b,
  given,
});

/** Keys whose effect is a verdict of `kit eval`. */
export const EVAL_PROOFS: readonly EffectProof[] = [
  { key: 'EvalSet.cases.*.input', a: 'Say hello.', b: 'Say goodbye.' },
  expectation('contains', ['HELLO'], ['goodbye']),
  expectation('not_contains', ['goodbye'], ['HELLO']),
  expectation('regex', '(?i)HELLO', 'HELLO'),
  expectation('equals', ' mock answer to: Say hello. ', 'hello'),
  expectation('not_empty', false, true),
  expectation('used_skills', [], ['kind']),
  expectation('judge', 'kind', 'stern'),
  expectation('rubric', undefined, 'Be plain.'),
  expectation('min_confidence', 0.9, 0.95, { 'EvalSet.cases.*.expect.judge': 'kind' }),
  // No plugin here brings either, and the refusal names the one that is asked for.
  expectation('checks', { first: 1 }, { second: 1 }),
];
