import type { Planning } from '../../src/domain/planning.js';
import { binding, decisionSkill, verdict } from '../support/deciding.js';
import { call } from '../support/run-world.js';
import { CHOICE, lead, of } from './scenes.js';
import type { Situation } from './situation.js';

const PLANNING: Planning = {
  ...{ scopeRequired: false, twoPhase: false },
  ...{ synthesisRoles: ['self'], synthesizerRole: 'synthesizer' },
};
const item = (id: string, who: string, dependsOn: readonly string[] = []) => ({
  ...{ id, agent: who, instruction: `do ${id}` },
  ...(dependsOn.length === 0 ? {} : { depends_on: [...dependsOn] }),
});
const makes = (...tasks: readonly ReturnType<typeof item>[]) => [call('create-task-plan', { tasks: [...tasks] })];
const MODELS = Object.fromEntries(['lead', 'looker', 'writer', 'role:synthesis'].map((id) => [id, CHOICE]));
const planned = (planning: Partial<Planning> = {}) => ({
  root: lead,
  snapshot: { planning: { ...PLANNING, ...planning } },
});

/** Of coordinators that plan. */
export const PLANS: readonly Situation[] = [
  of('a leader may plan', 'lead', { world: planned(), answers: {} }),
  of('a leader has to write a scope', 'lead', { world: planned({ scopeRequired: true }), answers: {} }),
  of('a part of a plan is done', 'lead', {
    world: planned(),
    answers: { lead: [makes(item('a', 'looker'), item('b', 'writer', ['a'])), 'go on', 'done'], looker: ['seven'] },
    at: 1,
  }),
  of('a plan is done', 'lead', {
    world: planned(),
    answers: { lead: [makes(item('a', 'looker')), 'done'], looker: ['seven'] },
  }),
  of('a plan lacks its scope', 'lead', {
    world: planned({ scopeRequired: true }),
    answers: { lead: [makes(item('a', 'looker')), [call('create-scope', { requirements: ['r'] })], 'done'] },
    at: 1,
  }),
  of('a plan is wrong', 'lead', {
    world: planned(),
    answers: { lead: [makes(item('a', 'nobody'), item('b', 'writer', ['c'])), 'done'] },
  }),
  of('a task needs the result of another', 'writer', {
    world: planned({ scopeRequired: true }),
    answers: {
      lead: [
        [call('create-scope', { requirements: ['be short'] })],
        makes(item('a', 'looker'), item('b', 'writer', ['a'])),
        'go on',
      ],
      looker: ['seven'],
    },
  }),
  of('a result is told in short', '', {
    world: planned(),
    answers: { lead: [makes(item('a', 'looker')), 'done'], looker: ['seven '.repeat(100)] },
  }),
  of('a synthesizer writes', '', {
    world: {
      root: lead,
      snapshot: {
        planning: PLANNING,
        synthesis: { provider: 'fake', model: 'fake-1', prompt: 'Be brief.' },
        models: MODELS,
      },
    },
    answers: { lead: [makes(item('a', 'looker'))], looker: ['seven'] },
  }),
  of('a plan is held up', 'lead', {
    world: {
      ...planned(),
      skills: [decisionSkill('critic')],
      snapshot: { planning: PLANNING, decisions: [binding('critic', 'checkpoint')] },
    },
    answers: {
      lead: [makes(item('a', 'looker'), item('b', 'writer', ['a'])), 'go on', 'done'],
      critic: [verdict('fail'), verdict('pass')],
    },
    at: 1,
  }),
];
