import { expect, it } from 'vitest';
import { oauthKeyState } from '../../src/domain/oauth-key.js';

const HEX = 'ab'.repeat(32);
const BASE64 = Buffer.alloc(32, 7).toString('base64');

it.each([
  ['unset', undefined],
  ['unset', ''],
  ['set', HEX],
  ['set', BASE64],
  ['set', `${BASE64},${HEX}`],
  ['set', `${BASE64}\n`],
  ['malformed', 'short'],
  ['malformed', ' , '],
  ['malformed', HEX.slice(1)],
  ['malformed', Buffer.alloc(16).toString('base64')],
  ['malformed', `${HEX} ${HEX} ${HEX}`],
  ['malformed', `${HEX},`.repeat(1_000)],
])('is %s: %j', (state, text) => {
  expect(oauthKeyState(text)).toBe(state);
});
