import type { LinkedFunnel } from '../../src/domain/linked-funnel.js';
import { reconcileMemory } from '../../src/govern/memory/reconcile.js';
import { binding, decisionSkill, verdict } from '../support/deciding.js';
import { gatedBy, ONE_ROLE } from '../support/gated.js';
import { agent, call } from '../support/run-world.js';
import { alone, CHOICE, fetch, input, of, SCHEMA, TALK, TASK } from './scenes.js';
import type { Situation } from './situation.js';

const JUDGE: NonNullable<LinkedFunnel['judge']> = { skill: 'critic', rubric: 'Short is good.', threshold: 0.8 };
const judged = (over: Partial<LinkedFunnel> = { judge: JUDGE }) => {
  const { roles, snapshot } = gatedBy(ONE_ROLE, over);
  const root = agent('alone', { role: 'root', funnel: 'sign-off', skills: ['fetch'] });
  return { root, roles, skills: [decisionSkill('critic'), fetch], snapshot };
};
const bound = (trigger: 'pre_input' | 'post_output') => ({
  root: alone,
  skills: [decisionSkill('critic')],
  snapshot: { decisions: [binding('critic', trigger)] },
});

const JUDGES: readonly Situation[] = [
  of('a judge is asked about a draft', 'critic', { world: judged(), answers: { critic: [verdict('pass')] } }),
  of('a judge is asked about an answer in a talk', 'critic', {
    world: (() => {
      const world = judged();
      return { ...world, snapshot: { ...world.snapshot, conversation: TALK } };
    })(),
    answers: { critic: [verdict('pass')] },
  }),
  of('a judge gives no verdict', 'critic', { world: judged(), answers: { critic: ['Fine.', verdict('pass')] } }),
  of('a judge does not say how sure it is', 'critic', {
    world: judged(),
    answers: { critic: ['{"verdict": "pass"}', verdict('pass')] },
  }),
  of('a judge is asked about a task', 'critic', { world: bound('pre_input'), answers: { critic: [verdict('pass')] } }),
  of('a draft is sent back by a decision', 'alone', {
    world: bound('post_output'),
    answers: { critic: [verdict('fail'), verdict('pass')] },
  }),
  of('a draft is sent back by a judge', 'alone', {
    world: judged(),
    answers: { alone: [[call('fetch', input)], 'draft', 'better'], critic: [verdict('fail'), verdict('pass')] },
  }),
  of('people ask for changes', 'alone', {
    world: judged({}),
    answers: { alone: [[call('fetch', input)], 'draft', 'better'] },
    changes: 'Say what it costs.',
  }),
  of('a draft does not fit the schema of its funnel', 'alone', {
    world: judged({ validate: { schema: SCHEMA, autocorrect: true, sliceBudget: null, citedChange: false } }),
    answers: { alone: ['{"title": 7}', '{"title": "T"}'] },
  }),
  of('a reviewer is asked', 'critic', {
    world: (() => {
      const critic = agent('critic', { outputSchema: { type: 'object', required: ['findings'] } });
      const { snapshot, ...rest } = judged({ review: { reviewer: critic, readScope: [], routeBackAt: 'high' } });
      return { ...rest, snapshot: { ...snapshot, models: { alone: CHOICE, critic: CHOICE } } };
    })(),
    answers: { critic: ['{"findings": []}'] },
  }),
];

const MEMORY = {
  enabled: true,
  maxResults: 5,
  similarityThreshold: 0.15,
  searchScope: 'user',
  minOutputLength: 4,
} as const;

const REMEMBERS: readonly Situation[] = [
  of('something is remembered', 'alone', {
    world: { root: alone, snapshot: { memory: MEMORY } },
    answers: { '': ['{"memories": []}'] },
    before: (world) =>
      world.stores.memory.write({
        ...{ origin: 'person', owner: 'tester', session: null, jobId: null, writeId: 'w', decide: reconcileMemory },
        candidates: [
          {
            ...{ subject: TASK, attribute: 'day', value: 'the task is done on Fridays', type: 'semantic' },
            ...{ confidence: 1, source: 'x', relation: null },
          },
        ],
      }),
  }),
  of('a curator chooses what is remembered', '', {
    world: { root: alone, snapshot: { memory: MEMORY } },
    answers: { alone: ['a long result'], '': ['{"memories": []}'] },
  }),
];

/** Of drafts that are judged, and of what is remembered. */
export const DECIDED: readonly Situation[] = [...JUDGES, ...REMEMBERS];
