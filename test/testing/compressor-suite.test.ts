import { expect, it } from 'vitest';
import { type Compressor, defineCompressor } from '../../src/sdk/plugin.js';
import { type CompressorFixtures, compressorConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: CompressorFixtures = { text: 'x'.repeat(500), deadlineMs: DEADLINE_MS };
const good: Compressor['compress'] = (text) => (text.length > 100 ? Array.from(text).slice(0, 50).join('') : null);
const define = (compress: Compressor['compress']) => defineCompressor({ create: () => ({ compress }) });
const failedOf = async (compress: Compressor['compress']) =>
  Object.keys((await runCases(compressorConformance(define(compress), fixtures))).failed);

const SHORTER = 'makes the text of its fixtures shorter';
const ANY = 'answers any text with a text or null, and cuts no character in half';
const ALIKE = 'answers two calls at once with one text alike';

it('a compressor that keeps to the contract passes, and is told what was not exercised', async () => {
  const { failed, notExercised } = await runCases(compressorConformance(define(good), fixtures));

  expect(failed).toEqual({});
  expect(notExercised).not.toContain(SHORTER);
  expect((await runCases(compressorConformance(define(good)))).notExercised).toContain(SHORTER);
});

let count = 0;

it.each<[string, Compressor['compress'], readonly string[]]>([
  ['makes nothing shorter', () => null, [SHORTER]],
  ['makes texts longer', (text) => `${text}!`, [SHORTER]],
  ['throws for what is not JSON', (text) => JSON.stringify(JSON.parse(text)), [SHORTER, ANY]],
  [
    'answers with something else',
    (text) => (text === '' ? (undefined as never) : good(text, { tool: '', server: null })),
    [ANY],
  ],
  ['cuts a character in half', (text) => (text.length > 100 ? text.slice(0, 51) : null), [ANY]],
  ['counts its calls', (text) => (text.length > 100 ? `call ${count++}` : null), [ALIKE]],
  ['never answers', () => new Promise(() => {}), [SHORTER, ANY, ALIKE]],
])('one that %s is caught', async (_what, compress, caught) => {
  expect(await failedOf(compress)).toEqual(expect.arrayContaining([...caught]));
});
