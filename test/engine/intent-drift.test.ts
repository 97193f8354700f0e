import { describe, expect, it } from 'vitest';
import type { IntentSettings } from '../../src/domain/intent.js';
import { decide, gatedBy, goOn, ONE_ROLE } from '../support/gated.js';
import { agent, type Script } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const watched = (onDrift: IntentSettings['onDrift'], over = {}) =>
  agent('root', { role: 'root', intent: { threshold: 0.75, onDrift }, ...over });

/** The task of every world is `the task`. */
const NEAR = 'the task';
const FAR = 'bananas grow in warm climates';

describe('the drift of an answer', () => {
  it('is measured with one event, and is not drift where the answer speaks of the task', async () => {
    const world = await open({ root: watched('nudge'), script: () => NEAR });
    await world.run();

    expect(payloadsOf(await world.events(), 'intent.drift')).toEqual([
      { activation: 'root', drift_score: 0, threshold: 0.75, exceeded: false, action: 'none', nudged: false },
    ]);
  });

  it.each(['log', 'warn'] as const)('with %s is told, and the answer stays', async (onDrift) => {
    let calls = 0;
    const world = await open({
      root: watched(onDrift),
      script: () => {
        calls += 1;
        return FAR;
      },
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: FAR });
    expect(payloadsOf(await world.events(), 'intent.drift')).toMatchObject([
      { exceeded: true, action: onDrift, nudged: false },
    ]);
    expect(calls).toBe(1);
  });

  it('with nudge asks once more with a message that leads back, and the new answer takes the place', async () => {
    const asked: string[] = [];
    const script: Script = ({ request }) => {
      const text = request.messages
        .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
        .join('\n');
      asked.push(text);
      return text.includes('led away') ? NEAR : FAR;
    };
    const world = await open({ root: watched('nudge'), script });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: NEAR });
    expect(asked).toHaveLength(2);
    expect(payloadsOf(await world.events(), 'intent.drift')).toMatchObject([
      { exceeded: true, action: 'nudge', nudged: false },
      { exceeded: false, action: 'none', nudged: true },
    ]);
  });

  it('with nudge asks once, not for ever', async () => {
    let calls = 0;
    const world = await open({
      root: watched('nudge'),
      script: () => {
        calls += 1;
        return FAR;
      },
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: FAR });
    expect(calls).toBe(2);
    expect(payloadsOf(await world.events(), 'intent.drift')).toMatchObject([
      { action: 'nudge' },
      { action: 'warn', nudged: true },
    ]);
  });

  it('is measured once a draft behind a gate, against the first task, and not again when the run goes on', async () => {
    const world = await open({ root: watched('log', { funnel: 'sign-off' }), script: () => FAR, ...gatedBy(ONE_ROLE) });
    await world.run();
    await decide(world, { role: 'qa' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', output: FAR });
    expect(payloadsOf(await world.events(), 'intent.drift')).toHaveLength(1);
  });

  it('is not measured where nothing was asked for it, and leaves no step', async () => {
    const world = await open({ root: agent('root', { role: 'root' }), script: () => FAR });
    await world.run();

    expect(payloadsOf(await world.events(), 'intent.drift')).toEqual([]);
    expect((await world.stores.runs.load(world.job.id)).filter(({ kind }) => kind === 'govern')).toEqual([]);
  });

  it('is not measured of a draft that failed', async () => {
    const world = await open({
      root: watched('nudge'),
      env: { KIT_AGENT_RETRIES: 0 },
      script: () => '',
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'empty_answer' });
    expect(payloadsOf(await world.events(), 'intent.drift')).toEqual([]);
  });
});
