import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.js';
import type { MemorySettings } from '../../../src/domain/memory-settings.js';
import { reconcileMemory } from '../../../src/govern/memory/reconcile.js';
import { binding, decisionSkill, lastText, verdict } from '../../support/deciding.js';
import { decide, funnel, goOn, ONE_ROLE, SIGNERS } from '../../support/gated.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import type { World, WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds } from '../laws.js';
import { BROKEN, carried, type Facts, factsOf, SUBJECT, type Subject, WAYS, type Way, worldOf } from './ways.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeAll(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterAll(() => repository.dispose());

const OBJECT = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const REPORT = 'The report: the house stands, and all windows are closed.';
const isCorrection = (prompt: string): boolean => prompt.includes('not fit the schema');
const MEMORY: MemorySettings = {
  enabled: true,
  maxResults: 5,
  similarityThreshold: 0.1,
  searchScope: 'user',
  minOutputLength: 20,
};
/** Says no to what does not say that it was improved. */
const strict: WorldOptions['script'] = ({ request }) =>
  lastText(request).includes('improved') ? verdict('pass') : verdict('fail', { flagged_items: ['too short'] });
const improves: Subject['says'] = (prompt) => (prompt.includes('too short') ? 'improved' : 'first');

interface Case {
  readonly name: string;
  readonly subject: Subject;
  readonly world?: Partial<WorldOptions>;
  readonly before?: (world: World) => Promise<unknown>;
  /** People, once the run has parked. */
  readonly people?: (world: World) => Promise<unknown>;
  /** Its end, and the kinds of its events: what has to be the same says something. */
  readonly end: 'ok' | string;
  readonly output?: Json;
  readonly kinds: readonly string[];
}

const STARTS = 'agent.started';
const ENDS = 'agent.completed';
const DECIDED = 'decision.evaluated';
const CHECKED = 'output.validated';
const ASKED = ['funnel.gate_opened', 'approval.gate_opened', 'hitl.requested'];
const ANSWERED = ['approval.role_task_resolved', 'hitl.resolved'];

const CASES: readonly Case[] = [
  { name: 'a task', subject: { says: () => REPORT }, end: 'ok', output: REPORT, kinds: [STARTS, ENDS] },
  {
    name: 'an answer that fits its schema',
    subject: { node: { outputSchema: OBJECT }, says: () => '{"n": 1}' },
    end: 'ok',
    output: { n: 1 },
    kinds: [STARTS, CHECKED, ENDS],
  },
  {
    name: 'an answer that is corrected',
    subject: {
      node: { outputSchema: OBJECT },
      says: (prompt) => (isCorrection(prompt) ? 'It is {"n": 2}.' : '{"n": "two"}'),
    },
    end: 'ok',
    output: { n: 2 },
    kinds: [STARTS, CHECKED, CHECKED, ENDS],
  },
  {
    name: 'an answer that never fits',
    subject: { node: { outputSchema: OBJECT }, says: () => 'no value' },
    end: 'output_invalid',
    kinds: [STARTS, CHECKED, CHECKED, CHECKED, 'output.validation_failed', ENDS],
  },
  { name: 'a carrier that fails', subject: { says: () => BROKEN }, end: '<carrier>.server', kinds: [STARTS, ENDS] },
  {
    name: 'a policy that denies it',
    subject: { says: () => REPORT },
    world: {
      facilities: () => ({
        decide: async ({ agentId }) =>
          agentId === SUBJECT ? { verdict: 'deny', reason: 'not today', needs: ['a:b'] } : { verdict: 'allow' },
      }),
    },
    end: 'denied',
    kinds: ['policy.denied'],
  },
  {
    name: 'a scope that only people hold',
    subject: { node: { baseScope: ['approvals:resolve'] }, says: () => REPORT },
    world: { humanScopes: ['approvals:resolve'] },
    end: 'denied',
    kinds: ['policy.denied'],
  },
  {
    name: 'a decision that refuses the task',
    subject: { says: () => REPORT },
    world: {
      skills: [decisionSkill('judge')],
      snapshot: { decisions: [binding('judge', 'pre_input', { agents: [SUBJECT] })] },
      script: () => verdict('fail', { suggested_response: 'Ask the front desk.' }),
    },
    end: 'ok',
    output: 'Ask the front desk.',
    kinds: [STARTS, DECIDED, ENDS],
  },
  {
    name: 'a decision that sends the answer back once',
    subject: { says: improves },
    world: {
      skills: [decisionSkill('judge')],
      snapshot: { decisions: [binding('judge', 'post_output', { agents: [SUBJECT] })] },
      script: strict,
    },
    end: 'ok',
    output: 'improved',
    kinds: [STARTS, DECIDED, DECIDED, ENDS],
  },
  {
    name: 'a decision that lets no answer through',
    subject: { says: () => REPORT },
    world: {
      skills: [decisionSkill('judge')],
      snapshot: { decisions: [binding('judge', 'post_output', { agents: [SUBJECT], maxRetries: 1 })] },
      script: strict,
    },
    end: 'decision_failed',
    kinds: [STARTS, DECIDED, DECIDED, ENDS],
  },
  {
    name: 'an advisory decision that nobody can read',
    subject: { says: () => REPORT },
    world: {
      skills: [decisionSkill('judge')],
      snapshot: { decisions: [binding('judge', 'post_output', { agents: [SUBJECT], required: false })] },
      script: () => 'splendid',
    },
    end: 'ok',
    output: REPORT,
    kinds: [STARTS, DECIDED, ENDS],
  },
  {
    name: 'checks and a judge of a funnel that send it back',
    subject: {
      node: { funnel: 'sign-off' },
      says: (prompt) => JSON.stringify({ n: prompt.includes('too short') ? 'improved' : 'first' }),
    },
    world: {
      skills: [decisionSkill('judge')],
      roles: SIGNERS,
      snapshot: {
        funnels: {
          'sign-off': funnel(ONE_ROLE, {
            validate: { schema: { type: 'object' }, autocorrect: true, sliceBudget: null, citedChange: false },
            judge: { skill: 'judge', rubric: 'No first drafts.', threshold: 0.8 },
          }),
        },
      },
      script: strict,
    },
    people: async (world) => {
      await decide(world, { role: 'qa' });
      await goOn(world);
    },
    end: 'ok',
    output: '{"n":"improved"}',
    kinds: [
      STARTS,
      'funnel.layer_evaluated',
      DECIDED,
      'funnel.layer_evaluated',
      'funnel.layer_evaluated',
      DECIDED,
      'funnel.layer_evaluated',
      ...ASKED,
      ...ANSWERED,
      'approval.gate_resolved',
      ENDS,
    ],
  },
  {
    name: 'a gate that people open after they asked for changes',
    subject: { node: { funnel: 'sign-off' }, says: (prompt) => (prompt.includes('say more') ? 'improved' : 'first') },
    world: { roles: SIGNERS, snapshot: { funnels: { 'sign-off': funnel(ONE_ROLE) } } },
    people: async (world) => {
      await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'say more' });
      await goOn(world);
      await decide(world, { role: 'qa' });
      await goOn(world);
    },
    end: 'ok',
    output: 'improved',
    kinds: [
      STARTS,
      ...ASKED,
      ...ANSWERED,
      'approval.changes_requested',
      'rework',
      ...ASKED,
      ...ANSWERED,
      'approval.gate_resolved',
      ENDS,
    ],
  },
  {
    name: 'what is remembered of its task',
    subject: { says: (task) => (task.includes('a short one') ? 'The short report: all windows are closed.' : REPORT) },
    world: { snapshot: { memory: MEMORY }, script: () => '{"memories": []}' },
    before: (world) =>
      world.stores.memory.write({
        origin: 'person',
        owner: 'tester',
        session: null,
        jobId: null,
        writeId: 'w',
        decide: reconcileMemory,
        candidates: [
          {
            subject: 'report',
            attribute: 'length',
            value: 'the task is a short one',
            type: 'semantic',
            confidence: 0.9,
            source: 'a person',
            relation: null,
          },
        ],
      }),
    end: 'ok',
    output: 'The short report: all windows are closed.',
    kinds: [STARTS, 'memory.recalled', ENDS],
  },
];

async function run(
  way: Way,
  { subject, world: options, before, people }: Case,
): Promise<Facts & { readonly run: RunEnd }> {
  const world = await open(worldOf(way, subject, { script: () => '', ...options, repository }));
  await before?.(world);
  await world.run();
  if (people !== undefined) expect((await world.row()).status).toBe('deferred');
  await people?.(world);
  const { status, reason } = await world.row();
  return { ...(await factsOf(world)), run: { status, reason: reason === null ? null : carried(reason) } };
}

interface RunEnd {
  readonly status: string;
  readonly reason: string | null;
}

/**
 * A refusal is told to whoever asked, and a task that failed to the coordinator, whose plan goes
 * on; any other caller fails with its agent (docs/design/decisions.md#data).
 */
function runEnd(place: Way['place'], end: string): RunEnd {
  const isReported = place === 'planned' || (place !== 'root' && end === 'denied');
  return end === 'ok' || isReported ? { status: 'completed', reason: null } : { status: 'failed', reason: end };
}

describe.each(CASES)('$name', (one) => {
  it('leaves the same events, the same result and the same use, whichever way the agent comes to run', async () => {
    const [first, ...others] = WAYS;
    const reference = await run(first, one);

    expect(reference.outcome).toMatchObject(
      one.end === 'ok' ? { status: 'ok', value: { output: one.output } } : { status: 'failed', reason: one.end },
    );
    expect(reference.events.map(({ type }) => type)).toEqual(one.kinds);
    expect(reference.run).toEqual(runEnd(first.place, one.end));
    for (const way of others) {
      expect({ way: way.name, ...(await run(way, one)) }).toEqual({
        way: way.name,
        ...reference,
        run: runEnd(way.place, one.end),
      });
    }
  });
});

it.each(WAYS.filter(({ place, executor }) => place !== 'root' || executor === 'model'))(
  'what it found out $name is looked through for memories',
  async (way) => {
    const looked: string[] = [];
    const world = await open(
      worldOf(
        way,
        { says: () => REPORT },
        {
          repository,
          snapshot: { memory: MEMORY },
          script: ({ request }) => {
            looked.push(JSON.stringify(request.messages));
            return '{"memories": []}';
          },
        },
      ),
    );
    await world.run();

    expect((await world.row()).status).toBe('completed');
    expect(looked.map((text) => text.includes(REPORT) && text.includes(SUBJECT))).toEqual([true]);
  },
);
