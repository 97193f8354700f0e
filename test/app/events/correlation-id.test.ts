import { describe, expect, it } from 'vitest';
import { correlationIdIn } from '../../../src/app/events/correlation-id.js';
import type { Json } from '../../../src/domain/json.js';

describe('the correlation id in a body', () => {
  it.each<readonly [Json, string | undefined, string]>([
    [{ correlation_id: 'order-7' }, undefined, 'order-7'],
    [{ order: { id: 7 } }, '$.order.id', '7'],
    [{ items: [{ ref: 'a' }, { ref: 'b' }] }, '$.items[*].ref', 'a'],
    [{ items: [{ n: 1 }, { n: 5, ref: 'b' }] }, '$.items[?@.n > 3].ref', 'b'],
    ['order-7', '$', 'order-7'],
  ])('in %j at %s is %s', async (body, path, id) => {
    expect(await correlationIdIn(body, path)).toEqual({ ok: true, id });
  });

  it.each<readonly [Json, string | undefined, string]>([
    [{}, undefined, 'nothing at $.correlation_id'],
    [{ correlation_id: null }, undefined, 'neither a text nor a number'],
    [{ correlation_id: '' }, undefined, 'neither a text nor a number'],
    [{ correlation_id: true }, undefined, 'neither a text nor a number'],
    [{ correlation_id: ['a'] }, undefined, 'neither a text nor a number'],
    [{}, 'correlation_id', 'is not a JSONPath'],
    [[], '$..[', 'is not a JSONPath'],
  ])('is not to be had in %j at %s', async (body, path, message) => {
    expect(await correlationIdIn(body, path)).toEqual({ ok: false, message: expect.stringContaining(message) });
  });
});
