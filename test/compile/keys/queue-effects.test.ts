import { expect, test } from 'vitest';
import { observedWith, showsEffect } from '../../support/shows-effect.js';
import { observeQueue, QUEUE_PROOFS, QUEUES } from './proofs/queue-proofs.js';

test.each(QUEUE_PROOFS)('$key changes what stands in a queue', ({ key, a, b }) =>
  showsEffect(key, a, b, { base: QUEUES, observe: observeQueue }),
);

test('a queue shows the items of the topologies that name it, and no others', async () => {
  const seen = await observedWith({}, { base: QUEUES, observe: observeQueue });

  expect(JSON.parse(seen)).toEqual({ items: ['main'], total: 1 });
});
