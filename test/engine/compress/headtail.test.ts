import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headtail } from '../../../src/engine/compress/headtail.js';
import { refOf } from '../../../src/engine/compress/ref.js';

test('a text of 2500 characters is left alone, one more is shortened', () => {
  expect(headtail('x'.repeat(2500), 'fetch-0123456789ab')).toBeNull();
  expect(headtail('x'.repeat(2501), 'fetch-0123456789ab')).toContain('(1 of 2501 characters are left out here;');
});

test('the first 1500 and the last 1000 characters stay, and the call for the rest stands between', () => {
  const text = `${'a'.repeat(1500)}${'m'.repeat(5000)}${'z'.repeat(1000)}`;

  const made = headtail(text, 'fetch-0123456789ab');

  expect(made).toBe(
    `${'a'.repeat(1500)}\n... (5000 of 7500 characters are left out here; context_retrieve {"ref": "fetch-0123456789ab", "offset": 1500} gives them) ...\n${'z'.repeat(1000)}`,
  );
});

test('no character is cut in half, and no more is left out than is said', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 2600, maxLength: 3200 }), (text) => {
      const made = headtail(text, 'r');

      const marker =
        /\n\.\.\. \((\d+) of \d+ characters are left out here; context_retrieve \{"ref": "r", "offset": (\d+)\} gives them\) \.\.\.\n/.exec(
          made ?? '',
        );
      expect(made?.isWellFormed()).toBe(true);
      const [whole = '', missing, offset] = marker ?? [];
      const [head = '', tail = ''] = (made ?? '').split(whole);
      expect(head).toBe(text.slice(0, Number(offset)));
      expect(head + text.slice(Number(offset), Number(offset) + Number(missing)) + tail).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('a reference is the name of the tool and twelve digits of its call site', () => {
  expect(refOf('Get Rows!', 'root/d0/t0/c0:x')).toMatch(/^get-rows--[0-9a-f]{12}$/);
  expect(refOf('x'.repeat(90), 'root/d0/t0/c0:x')).toMatch(/^x{40}-[0-9a-f]{12}$/);
  expect(refOf('fetch', 'root/d0/t0/c0:fetch')).not.toBe(refOf('fetch', 'root/d0/t0/c1:fetch'));
});
