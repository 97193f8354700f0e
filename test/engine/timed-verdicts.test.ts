import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { gatedBy, ONE_ROLE } from '../support/gated.js';
import { agent, call, commandSkill } from '../support/run-world.js';
import { adapter, harness, harnessWorlds } from './harness-world.js';
import { lawfulWorlds } from './laws.js';

const open = lawfulWorlds();
const harnesses = harnessWorlds();

/** The linear engine does not look around: this pattern has a limit of time. */
const TIMED = '^(?=.*b)a+b$';
const schema = (pattern: string): JsonObject => ({
  type: 'object',
  required: ['word'],
  properties: { word: { type: 'string', pattern } },
});

/** The machine is busy with the first verdict about a value, and never again. */
function busyOnce() {
  const asked: string[] = [];
  const facilities = (base: RunFacilities): Partial<RunFacilities> => ({
    validate: async (of, value) => {
      const question = JSON.stringify([of, value]);
      const isFirst = !asked.includes(question);
      asked.push(question);
      if (JSON.stringify(of).includes(TIMED) && isFirst) return [{ pointer: '', message: 'not known in time' }];
      return base.validate(of, value);
    },
  });
  return { asked, facilities };
}

describe('a verdict that depends on time', () => {
  it('about the arguments of a call stands in a step of its own, and is not asked again', async () => {
    const { asked, facilities } = busyOnce();
    const world = await open({
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [commandSkill('say', ['echo', '{word}'], { inputs: schema(TIMED) })],
      script: ({ turn }) => (turn < 2 ? [call('say', { word: 'aab' }, `c${turn}`)] : 'done'),
      facilities,
    });
    await world.run();

    const rows = await world.stores.runs.load(world.job.id);
    const verdicts = rows.filter(({ key }) => key.endsWith('/fits')).map(({ outcome }) => outcome);
    expect(verdicts).toMatchObject([
      { status: 'ok', value: { valid: false, errors: [{ message: 'not known in time' }] } },
      { status: 'ok', value: { valid: true } },
    ]);
    expect(asked).toHaveLength(2);
    await world.replay();
    expect(asked).toHaveLength(2);
  });

  it('of a schema that no limit of time concerns costs no step', async () => {
    const world = await open({
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [commandSkill('say', ['echo', '{word}'], { inputs: schema('^a+b$') })],
      script: ({ turn }) => (turn === 0 ? [call('say', { word: 'aab' })] : 'done'),
    });
    await world.run();

    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.filter(({ key }) => key.endsWith('/fits'))).toEqual([]);
  });

  it('about the answer of a session stands with the session, and a replay asks for the same correction', async () => {
    const { asked, facilities } = busyOnce();
    const world = await harnesses.run({
      adapter: adapter('done({ word: "aab" });'),
      root: harness('root', { role: 'root', outputSchema: schema(TIMED) }),
      facilities,
    });

    expect(await world.row()).toMatchObject({ status: 'completed', output: '{"word":"aab"}' });
    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.filter(({ kind }) => kind === 'harness').map(({ outcome }) => outcome)).toMatchObject([
      { value: { check: { valid: false } } },
      { value: { check: { valid: true } } },
    ]);
    const before = asked.length;
    await world.replay();
    expect(asked).toHaveLength(before);
  });

  it('about a draft stands in a step of its layer', async () => {
    const { asked, facilities } = busyOnce();
    const world = await open({
      root: agent('writer', { role: 'root', funnel: 'sign-off' }),
      script: () => '{"word": "aab"}',
      facilities,
      ...gatedBy(ONE_ROLE, {
        validate: { schema: schema(TIMED), autocorrect: false, sliceBudget: null, citedChange: false },
      }),
    });
    await world.run();

    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.filter(({ key }) => key.endsWith('/validate/fits')).map(({ kind }) => kind)).toContain('decision');
    const before = asked.length;
    await world.replay();
    expect(asked).toHaveLength(before);
  });
});
