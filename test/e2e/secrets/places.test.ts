import { expect, it } from 'vitest';
import { blindIn, leaksIn } from './places.js';

const SECRET = 'pl4/+77a0de-"planted"=one';

it.each([
  { how: 'as it is', text: SECRET },
  { how: 'cut after its first half', text: SECRET.slice(0, 14) },
  { how: 'in base64', text: Buffer.from(SECRET).toString('base64') },
  { how: 'in base64 behind one more byte', text: Buffer.from(`:${SECRET}`).toString('base64') },
  { how: 'in base64url behind two more bytes', text: Buffer.from(`a:${SECRET}`).toString('base64url') },
  { how: 'in an address', text: encodeURIComponent(SECRET) },
  { how: 'in JSON', text: JSON.stringify({ key: SECRET }) },
])('the search finds a secret $how, in text and in bytes, and names it and the place', ({ text }) => {
  for (const content of [`before ${text} after`, Buffer.from(`\u0000${text}\u0000`)])
    expect(leaksIn([{ name: 'here', content, canary: null }], { ONE: SECRET, OTHER: 'something-else' })).toEqual([
      expect.stringMatching(/^ONE in here: /),
    ]);
});

it('a place that lacks what is surely there is not taken for one without secrets', () => {
  expect(blindIn([{ name: 'empty', content: '', canary: 'canary' }])).toEqual(['empty lacks canary']);
  expect(blindIn([{ name: 'full', content: Buffer.from('a canary sings'), canary: 'canary' }])).toEqual([]);
});
