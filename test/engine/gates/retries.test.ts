import { expect, it } from 'vitest';
import { decide, gatedBy, goOn, ONE_ROLE, openRounds } from '../../support/gated.js';
import { agent, type Script } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
const root = agent('writer', { role: 'root', funnel: 'sign-off' });
const CHECKED = {
  validate: {
    schema: { type: 'object', required: ['done'] },
    autocorrect: false,
    sliceBudget: null,
    citedChange: false,
  },
  maxRetries: 2,
};

/** Answers what `answers` says in turn, the last of them for ever; keeps what it was asked. */
function answering(answers: readonly string[]): { readonly script: Script; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    script: ({ request }) => {
      asked.push(
        request.messages
          .at(-1)
          ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .join('\n') ?? '',
      );
      return answers[Math.min(asked.length, answers.length) - 1] ?? '';
    },
  };
}

it('a draft that a check sends back is made again with the critique, and only the last one comes before the people', async () => {
  const { script, asked } = answering(['{"x": 1}', '{"done": true}']);
  const world = await open({ root, ...gatedBy(ONE_ROLE, CHECKED), script });
  await world.run();

  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain('What the checks (validate) found in it:');
  expect(asked[1]).toContain('done');
  const [gate] = await openRounds(world);
  expect(gate?.evidence).toMatchObject({ retries: 1, escalated: false, failedLayers: [], critique: null });
  expect((await world.stores.runs.load(world.job.id)).map((row) => row.key)).toEqual(
    expect.arrayContaining(['root/d0/t0', 'root/d1/t0', 'root/g0']),
  );
  await decide(world, { role: 'qa' });
  await goOn(world);
  expect(await world.row()).toMatchObject({ status: 'completed', output: '{"done": true}' });
});

it('retries that are used up put the last draft before the people, marked as escalated, with the last critique', async () => {
  const { script, asked } = answering(['{"x": 1}', '{"y": 2}', '{"z": 3}']);
  const world = await open({ root, ...gatedBy(ONE_ROLE, CHECKED), script });
  await world.run();

  expect(asked).toHaveLength(3);
  // The critique of the pass before: what an earlier one found was told then.
  expect(asked[2]?.match(/What the checks/g)).toHaveLength(1);
  const [gate] = await openRounds(world);
  expect(gate?.evidence).toMatchObject({
    retries: 2,
    escalated: true,
    failedLayers: ['validate'],
    critique: expect.stringContaining('done'),
  });
  expect(payloadsOf(await world.events(), 'funnel.gate_opened')).toMatchObject([{ retries: 2, escalated: true }]);
});

it('a rework begins with the retries at 0, and a retry inside it still tells what the people said', async () => {
  const { script, asked } = answering(['{"done": 1}', '{"x": 1}', '{"done": 2}']);
  const world = await open({ root, ...gatedBy(ONE_ROLE, CHECKED), script });
  await world.run();
  await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'another number' });
  await goOn(world);

  expect(asked).toHaveLength(3);
  expect(asked[2]).toContain('another number');
  expect(asked[2]).toContain('What the checks (validate) found in it:');
  expect((await openRounds(world))[0]).toMatchObject({ round: 1, evidence: { retries: 1, escalated: false } });
});

it('an advisory gate says which layers failed', async () => {
  const { script } = answering(['{"x": 1}']);
  const { snapshot } = gatedBy(ONE_ROLE, CHECKED);
  const world = await open({ root, snapshot, script });
  await world.run();

  expect(payloadsOf(await world.events(), 'funnel.advisory_completed')).toMatchObject([
    { failed_layers: ['validate'], escalated: true, retries: 2 },
  ]);
  expect(await world.row()).toMatchObject({ status: 'completed', output: '{"x": 1}' });
});
