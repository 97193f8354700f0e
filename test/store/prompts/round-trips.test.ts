import { expect, it } from 'vitest';
import { BACKENDS, openGuardedStore } from '../../support/guards/guarded-store.js';
import { callOf, conversation, keepCalls } from '../../support/prompt-sample.js';

const WIDE = { count: 100, bytes: 1_000_000, ageMs: 5 * 365 * 24 * 60 * 60 * 1000 };

it.each(BACKENDS)('one write on %s asks and changes as much for many conversations as for one', async (backend) => {
  const { stores, counter, close } = await openGuardedStore(backend);
  try {
    const [alone, ...others] = ['a', 'b', 'c'].map((name) => conversation(name));
    const talks = [alone!, ...others];
    await keepCalls(
      stores,
      talks.map((talk) => talk(1, ['one'])),
      WIDE,
    );
    counter.take();
    await keepCalls(stores, [alone!(2, ['two'])], WIDE);
    const readsForOne = counter.take().reads;
    await keepCalls(
      stores,
      others.map((talk) => talk(3, ['two'])),
      WIDE,
    );
    expect(counter.take().reads).toBe(readsForOne);

    // Three rows go that three others refer to, which take over what they tell.
    await keepCalls(stores, [callOf(4), callOf(5), callOf(6)], { ...WIDE, count: 6 });
    expect(counter.take().writes).toMatchObject({ 'update prompts': 1, 'delete prompts': 1 });
    const kept = await stores.prompts.list({ jobId: 'job', limit: 10 });
    expect(kept.slice(3).map(({ prompt }) => JSON.parse(prompt).messages)).toEqual(talks.map(() => ['one', 'two']));
  } finally {
    await close();
  }
});
