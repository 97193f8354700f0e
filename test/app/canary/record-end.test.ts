import { describe, expect, it } from 'vitest';
import { recordEnd } from '../../../src/app/canary/record-end.js';
import type { IntentSettings } from '../../../src/domain/intent.js';
import { routeKey } from '../../../src/govern/canary.js';
import { createClock } from '../../../src/system/clock.js';
import { lawfulWorlds } from '../../engine/laws.js';
import { agent, call, commandSkill, type Script, type World } from '../../support/run-world.js';

const open = lawfulWorlds();
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const intent = (onDrift: IntentSettings['onDrift']) => ({ intent: { threshold: 0.75, onDrift } });

/**
 * The task of every world is `the task`: 0 away from itself, 1 from what shares no word with it.
 */
const NEAR = 'the task';
const FAR = 'bananas grow in warm climates';

const route = {
  topology: 'test',
  versions: [
    { version: '1.0.0', weight: 50, promoteWhen: null },
    { version: '2.0.0', weight: 50, promoteWhen: null },
  ],
};
const workspace = { id: 'w', server: { canary: [route] } } as unknown as Parameters<typeof recordEnd>[1];
const key = routeKey('w', route);

/**
 * Counts the end of the run, as whoever carried it out does, and gives the counters of its version.
 */
async function counted(world: World) {
  await recordEnd({ clock: createClock(), log: silent, stores: world.stores }, workspace, {
    job: await world.row(),
    route: key,
  });
  return (await world.stores.serving.canary.state(key)).counters.find(({ version }) => version === '1.0.0');
}

describe('the drift that a canary route counts', () => {
  it('is that of the last draft of an answer: a nudge that led back counts as it ended', async () => {
    const script: Script = ({ request }) => (JSON.stringify(request.messages).includes('led away') ? NEAR : FAR);
    const world = await open({ root: agent('root', { role: 'root', ...intent('nudge') }), script });
    await world.run();

    expect(await counted(world)).toMatchObject({ runs: 1, driftCount: 1, driftSum: 0 });
  });

  it('is the mean over the answers of a run, and a run is counted once', async () => {
    const root = agent('root', { role: 'root', ...intent('log'), children: [agent('a', intent('log'))] });
    const script: Script = ({ agent: id, turn }) =>
      id === 'a' ? 'the other thing' : turn === 0 ? [call('delegate_to_a', { task: 'the other thing' })] : FAR;
    const world = await open({ root, script });
    await world.run();
    const first = await counted(world);

    expect(first).toMatchObject({ runs: 1, driftCount: 1 });
    const scores = (await world.events()).flatMap((event) =>
      event.type === 'intent.drift' ? [event.payload.drift_score] : [],
    );
    expect(scores).toHaveLength(2);
    expect(Math.min(...scores)).toBe(0);
    expect(first?.driftSum).toBeCloseTo((scores[0] ?? 0) / 2 + (scores[1] ?? 0) / 2, 9);
    expect(await counted(world)).toEqual(first);
  });

  it('is read from the log alone: what was measured before a stop counts when the run goes on, measured once', async () => {
    let calls = 0;
    const root = agent('root', { role: 'root', skills: ['wait'], children: [agent('a', intent('log'))] });
    const world = await open({
      root,
      skills: [commandSkill('wait', ['true'])],
      script: async ({ agent: id, turn }) => {
        if (id === 'a') {
          calls += 1;
          return FAR;
        }
        if (turn === 0) return [call('delegate_to_a', { task: 'the task' })];
        if (turn === 1) await world.requestStop();
        return turn === 1 ? [call('wait', { input: '' })] : 'done';
      },
    });
    await world.run();
    expect(await world.row()).toMatchObject({ status: 'stopped' });
    expect(await counted(world)).toBeUndefined();
    await world.runClaim(await world.resume());

    const drift = (await world.events()).flatMap((event) =>
      event.type === 'intent.drift' ? [event.payload.drift_score] : [],
    );
    expect([drift.length, calls]).toEqual([1, 1]);
    expect(await counted(world)).toMatchObject({ runs: 1, failed: 0, driftCount: 1, driftSum: drift[0] });
  });

  it('is none where nothing was measured', async () => {
    const world = await open({ root: agent('root', { role: 'root' }), script: () => FAR });
    await world.run();

    expect(await counted(world)).toMatchObject({ runs: 1, driftCount: 0, driftSum: 0 });
  });
});
