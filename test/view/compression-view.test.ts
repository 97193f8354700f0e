import { expect, test } from 'vitest';
import { addCompression, NO_COMPRESSION } from '../../src/view/compression-view.js';
import { toWireCompression } from '../../src/view/schemas/run.js';

test('results that were compressed are added up by backend, and what was left as it is counts for nothing', () => {
  const calls = [
    { backend: 'columnar', bytes_in: 100, bytes_out: 40, left: null },
    { backend: 'columnar', bytes_in: 50, bytes_out: 50, left: 'no_json' },
    undefined,
    { backend: 'headtail', bytes_in: 9000, bytes_out: 2600, left: null },
    { backend: 'columnar', bytes_in: 10, bytes_out: 5, left: null },
  ] as const;

  const view = calls.reduce(addCompression, NO_COMPRESSION);

  expect(toWireCompression(view)).toEqual({
    calls: 3,
    bytes_in: 9110,
    bytes_out: 2645,
    by_backend: {
      columnar: { calls: 2, bytes_in: 110, bytes_out: 45 },
      headtail: { calls: 1, bytes_in: 9000, bytes_out: 2600 },
    },
  });
});
