import { expect, it } from 'vitest';
import { serverAddress } from '../../../src/remote/server-address.js';

it.each([
  ['https://kit.example.com/', 'https://kit.example.com'],
  ['https://example.com/kit/', 'https://example.com/kit'],
  ['https://kit.example.com/console', 'https://kit.example.com'],
  ['https://example.com/kit/console/review/a?x=1#b', 'https://example.com/kit'],
])('%s stands for the server %s', (text, base) => {
  expect(serverAddress(text).base).toBe(base);
});

it('refuses a query, a fragment and a user of an address', () => {
  for (const text of ['https://a.test/?x=1', 'https://a.test/#b', 'https://u:p@a.test/console'])
    expect(() => serverAddress(text)).toThrow('more than scheme, host and path');
});
