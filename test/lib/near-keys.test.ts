import { expect, it } from 'vitest';
import { nearKeys } from '../../src/lib/near-keys.js';

const KEYS = ['root', 'root/t0', 'root/d0/t0', 'root/d0/t0/c0:one', 'root/d0/t0/c1:two', 'root/d0/t1', 'other'];

it('names the keys that share most of the path, in their order, and at most five', () => {
  expect(nearKeys('root/d0/t0/c9:nine', KEYS)).toEqual([
    'root/d0/t0',
    'root/d0/t0/c0:one',
    'root/d0/t0/c1:two',
    'root/d0/t1',
    'root',
  ]);
  expect(nearKeys('elsewhere/t0', KEYS)).toEqual([]);
  expect(nearKeys('', KEYS)).toEqual([]);
});
