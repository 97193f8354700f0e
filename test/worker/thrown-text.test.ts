import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import { thrownText } from '../../src/worker/failure-of.js';

describe('what a step threw, in the log', () => {
  it('is a refusal of kit without the place in its code, and a bug with it', () => {
    expect(thrownText(new KitError('KIT_TOOL_SERVER_FAILED', 'files ended'))).toBe(
      'KIT_TOOL_SERVER_FAILED: files ended',
    );
    expect(thrownText(new TypeError('no such thing'))).toMatch(/^TypeError: no such thing\n {4}at /);
    expect(thrownText('a word')).toBe('a word');
  });
});
