import { describe, expect, it } from 'vitest';
import { isBelow, isInside } from '../../src/lib/is-inside.js';

describe('isInside', () => {
  it.each([
    ['/w', '/w', true],
    ['/w', '/w/a/b', true],
    ['/w', '/w/..a', true],
    ['/', '/w', true],
    ['/w', '/wide', false],
    ['/w', '/', false],
    ['/w/a', '/w/b', false],
    ['/w', '/w/../v', false],
  ])('of %s and %s is %s', (folder, path, expected) => {
    expect(isInside(folder, path)).toBe(expected);
  });

  it('a folder is inside itself, and not below itself', () => {
    expect(isBelow('/w', '/w')).toBe(false);
    expect(isBelow('/w', '/w/a')).toBe(true);
    expect(isBelow('/w', '/v')).toBe(false);
  });
});
