import { agent, call } from '../support/run-world.js';
import {
  alone,
  ask,
  broken,
  ended,
  holds,
  input,
  lead,
  long,
  look,
  of,
  SCHEMA,
  TALK,
  withSkills,
  write,
} from './scenes.js';
import type { Situation } from './situation.js';
import { DECIDED } from './situations-decided.js';
import { PLANS } from './situations-planned.js';

const AGENTS: readonly Situation[] = [
  of('an agent is asked', 'alone', { world: { root: alone }, answers: {} }),
  of('a person goes on with a talk', 'alone', {
    world: { root: alone, snapshot: { conversation: TALK } },
    answers: {},
  }),
  of('a leader may ask others', 'lead', { world: { root: lead }, answers: {} }),
  of('a worker is asked', 'looker', { world: { root: lead }, answers: { lead: [[ask('looker', 'count')], 'done'] } }),
  of('a leader is answered', 'lead', {
    world: { root: lead },
    answers: {
      lead: [[ask('looker', 'count'), ask('writer', 'write')], 'done'],
      looker: ['seven'],
      writer: ['a text'],
    },
  }),
  of('a worker is asked again', 'looker', {
    world: { root: lead },
    answers: { lead: [[ask('looker', 'count')], [ask('looker', 'count again')], 'done'], looker: ['seven', 'eight'] },
  }),
  of('a worker is asked again, and remembers in short', 'looker', {
    world: { root: lead, env: { KIT_HISTORY_TURNS: 0 } },
    answers: { lead: [[ask('looker', 'count')], [ask('looker', 'count again')], 'done'], looker: ['seven', 'eight'] },
  }),
  of('a worker depends on another', 'writer', {
    world: { root: agent('lead', { role: 'root', children: [look, { ...write, dependsOn: ['looker'] }] }) },
    answers: { lead: [[ask('looker', 'count'), ask('writer', 'write')], 'done'], looker: ['seven'] },
  }),
  of('others had to work for an answer', 'lead', {
    world: { root: agent('lead', { role: 'root', children: [look, { ...write, dependsOn: ['looker'] }] }) },
    answers: { lead: [[ask('writer', 'write')], 'done'], looker: ['seven'], writer: ['a text'] },
  }),
  of('a leader gives no task', 'lead', {
    world: { root: lead },
    answers: { lead: [[call('delegate_to_looker', {})], 'done'] },
  }),
  of('an agent had all its tasks', 'lead', {
    world: { root: lead, env: { KIT_MAX_DELEGATIONS_PER_CHILD: 1 } },
    answers: { lead: [[ask('looker', 'a', '1'), ask('looker', 'b', '2')], 'done'] },
  }),
];

const TOOLS: readonly Situation[] = [
  withSkills('a tool answers', ['fetch'], { answers: [[call('fetch', input)], 'done'] }),
  withSkills('a tool fails', ['fetch'], { skills: [broken], answers: [[call('fetch', input)], 'done'] }),
  withSkills('there is no such tool', ['fetch'], { answers: [[call('fly', input)], 'done'] }),
  withSkills('a tool is called too often', ['fetch'], {
    env: { KIT_MAX_PER_READ_TOOL: 1 },
    answers: [[call('fetch', input, '1'), call('fetch', input, '2')], 'done'],
  }),
  withSkills('a response makes too many calls', ['fetch'], {
    env: { KIT_MAX_TOOLS: 1 },
    answers: [[call('fetch', input, '1'), call('fetch', input, '2')], 'done'],
  }),
  withSkills('arguments are not an object', ['fetch'], { answers: [[call('fetch', { __invalid: '[1,' })], 'done'] }),
  withSkills('arguments are cut off', ['fetch'], {
    answers: [ended('length', [call('fetch', { __invalid: '{"input": "x' })]), 'done'],
  }),
  withSkills('a tool comes after another', ['fetch', 'store'], {
    root: { ...holds('fetch', 'store'), requires: { store: ['fetch'] } },
    answers: [[call('store', input)], 'done'],
  }),
  withSkills('the turns are spent', ['fetch'], {
    env: { KIT_MAX_TOOL_TURNS: 1 },
    answers: [[call('fetch', input)], 'done'],
  }),
  withSkills('calls come where an answer was asked for', ['fetch'], {
    env: { KIT_MAX_TOOL_TURNS: 1 },
    answers: [[call('fetch', input)], [call('fetch', input)], 'done'],
  }),
  withSkills('a result is too long', ['fetch'], {
    ...{ skills: [long], env: { KIT_MAX_RESULT_TOKENS: 100 } },
    answers: [[call('fetch', input)], 'done'],
  }),
];

const ANSWERS: readonly Situation[] = [
  of('an answer is empty', 'alone', { world: { root: alone }, answers: { alone: ['', 'done'] } }),
  of('an answer is cut off', 'alone', {
    world: { root: alone },
    answers: { alone: [ended('length', [{ type: 'text', text: 'The first half' }]), ' and the second.'] },
  }),
  of('an answer in a format holds no value', 'alone', {
    world: { root: { ...alone, outputSchema: SCHEMA } },
    answers: { alone: ['Sure.', '{"title": "T"}'] },
  }),
  of('an answer does not fit its format', 'alone', {
    world: { root: { ...alone, outputSchema: SCHEMA } },
    answers: { alone: ['{"title": 7}', '{"title": "T"}'] },
  }),
  withSkills('a format stands beside tools', ['fetch'], {
    root: { ...holds('fetch'), outputSchema: SCHEMA },
    answers: ['The title is T.', [call('answer', { title: 'T' })]],
  }),
];

/** What can happen to a model, one after the other. */
export const SITUATIONS: readonly Situation[] = [...AGENTS, ...TOOLS, ...ANSWERS, ...PLANS, ...DECIDED];
