import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS, described, head, provenance } from './agent-scene.js';
import type { RunProof } from './proof.js';

const judge = (id: string, implementation: Readonly<Record<string, unknown>>) => ({
  ...head('Skill'),
  metadata: described(id),
  category: 'decision',
  outputs: { type: 'object', properties: { reasoning: { type: 'string' } } },
  implementation: { type: 'llm_prompt', ...implementation },
  provenance,
});

const REFUSAL = JSON.stringify({ verdict: 'fail', confidence: 1, reasoning: 'No.', flagged_items: [] });

/** The agents, and three who decide; the last always says no. */
export const BINDINGS: Documents = {
  ...AGENTS,
  'skills/judge.json': judge('judge', { prompt: 'Judge.' }),
  'skills/second-judge.json': judge('second-judge', { prompt: 'Judge again.' }),
  'skills/strict.json': judge('strict', {
    prompt: 'Refuse.',
    model: { provider: 'mock', options: { script: [{ text: REFUSAL }] } },
  }),
};

/** The same block stands in the workspace and in a topology. */
export const BINDING_PROOFS: readonly RunProof[] = ['Workspace', 'Topology'].flatMap((kind): readonly RunProof[] => {
  const list = `${kind}.governance.decision_skills`;
  const bound = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
    [list]: [{ id, trigger: 'post_output', ...more }],
  });
  return [
    { key: `${list}.*.id`, a: 'judge', b: 'second-judge', given: bound('judge') },
    { key: `${list}.*.trigger`, a: 'post_output', b: 'pre_input', given: bound('judge') },
    { key: `${list}.*.scope`, a: 'root', b: 'one', given: bound('judge') },
    { key: `${list}.*.required`, a: false, b: true, given: bound('strict', { config: { max_retries: 0 } }) },
    { key: `${list}.*.enabled`, a: true, b: false, given: bound('judge') },
    { key: `${list}.*.config`, a: { tone: 'kind' }, b: { tone: 'plain' }, given: bound('judge') },
  ];
});
