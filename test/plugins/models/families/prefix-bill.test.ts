import { expect, test } from 'vitest';
import type { EventOf } from '../../../../src/view/telemetry/segment.js';
import { ANTHROPIC } from '../../../support/components/provider-servers/anthropic.js';
import { bills as billing } from '../../../support/components/provider-servers/personalities.js';
import type { Reply } from '../../../support/components/provider-servers/reply.js';
import { startProviderServer } from '../../../support/components/provider-servers/server.js';
import { agent, commandSkill, openWorld } from '../../../support/run-world.js';
import { familyProvider } from '../helpers.js';
import { bundledConfig, KEY, KEY_VARIABLE } from './family-cases.js';

/** USD per million tokens. */
const PRICE = { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 };
const TURNS = 10;

test('ten turns with a tool cost at most 45 % of what they cost without a cache, and it is told to the cent', async () => {
  const { bills, ...biller } = billing(PRICE);
  let turns = 0;
  const answer = (): Reply => {
    turns += 1;
    return turns < TURNS
      ? { do: 'answer', calls: [{ id: `c${turns}`, name: 'look', arguments: { input: `${turns}` } }] }
      : { do: 'answer', text: 'done' };
  };
  const server = await startProviderServer(ANTHROPIC, answer, { personalities: [biller] });
  const config = { ...bundledConfig('anthropic', server.url), prices: [{ model: '*', ...PRICE }] };
  const provider = await familyProvider('anthropic', config, { env: { [KEY_VARIABLE]: KEY } });
  const model = { provider: 'fake', model: 'claude-sonnet-4-5', toolProvider: 'fake', toolModel: 'claude-sonnet-4-5' };
  const world = await openWorld({
    // 4,000 tokens of prompt, and results of 3,000 characters.
    root: {
      ...agent('root', { role: 'root', skills: ['look'] }),
      systemPrompt: `You are root. ${'rule '.repeat(3200)}`,
    },
    skills: [commandSkill('look', ['node', '-e', 'console.log("seen ".repeat(600))'])],
    snapshot: { models: { root: model } },
    script: () => 'nobody asks the script',
    facilities: () => ({ provider: async () => provider }),
  });
  try {
    await world.run();
    const called = (await world.events()).filter(
      (event): event is EventOf<'model.called'> => event.type === 'model.called',
    );
    const sum = (of: (event: EventOf<'model.called'>) => number): number =>
      called.reduce((total, event) => total + of(event), 0);

    expect(server.problems).toEqual([]);
    expect(called).toHaveLength(TURNS);
    const usd = bills.reduce((total, bill) => total + bill.usd, 0);
    const withoutUsd = bills.reduce((total, bill) => total + bill.withoutUsd, 0);
    console.log(
      `ten turns: $${usd.toFixed(4)} in place of $${withoutUsd.toFixed(4)}, ${(usd / withoutUsd).toFixed(3)}`,
    );
    expect(usd).toBeLessThanOrEqual(0.45 * withoutUsd);
    expect(sum(({ payload }) => payload.cost_usd ?? Number.NaN)).toBeCloseTo(usd, 9);
    expect(sum(({ payload }) => payload.saved_usd ?? Number.NaN)).toBeCloseTo(withoutUsd - usd, 9);
    expect(called[0]?.payload.cache_write_tokens).toBeGreaterThan(4000);
  } finally {
    await world.close();
    await server.close();
  }
});
