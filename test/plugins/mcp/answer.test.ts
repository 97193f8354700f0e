import { expect, it } from 'vitest';
import { answerOf } from '../../../plugins/mcp/src/server/answer.js';

const said = (meta: Record<string, unknown> | undefined) =>
  answerOf({ content: [{ type: 'text', text: 'x' }], ...(meta === undefined ? {} : { _meta: meta }) });

it.each([
  { meta: undefined, costUsd: undefined },
  { meta: { other: 1 }, costUsd: undefined },
  { meta: { 'kit/cost_usd': 0 }, costUsd: 0 },
  { meta: { 'kit/cost_usd': 0.02 }, costUsd: 0.02 },
  { meta: { 'kit/cost_usd': -1 }, costUsd: null },
  { meta: { 'kit/cost_usd': '0.02' }, costUsd: null },
  { meta: { 'kit/cost_usd': Number.POSITIVE_INFINITY }, costUsd: null },
  { meta: { 'kit/cost_usd': null }, costUsd: null },
])('an answer with $meta cost $costUsd', ({ meta, costUsd }) => {
  expect(said(meta).costUsd).toBe(costUsd);
});

const PNG = 'iVBORw0KGgo=';
const PDF = Buffer.from('%PDF-1.7 pages').toString('base64');

it.each([
  { uri: 'file:///reports/q3%20final.pdf?v=2', name: 'q3-20final.pdf' },
  { uri: 'mem:', name: 'mem-' },
  { uri: '/', name: 'document.pdf' },
  { uri: `file:///${'a'.repeat(500)}.pdf`, name: `${'a'.repeat(76)}.pdf` },
])('a PDF at $uri is a document called $name', ({ uri, name }) => {
  const resource = { uri, mimeType: 'application/pdf', blob: PDF };

  const { parts } = answerOf({ content: [{ type: 'resource', resource }] });

  expect(parts).toEqual([{ type: 'document', mediaType: 'application/pdf', name, data: PDF }]);
});

it('what only says that it is a PDF is left out, and named', () => {
  const resource = { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: PNG };

  expect(answerOf({ content: [{ type: 'resource', resource }] }).parts).toMatchObject([
    { type: 'other', uri: 'file:///a.pdf', text: expect.stringContaining('left out') },
  ]);
});

it.each([
  { mimeType: 'image/png', data: PNG, isShown: true },
  { mimeType: 'image/svg+xml', data: 'PHN2Zz4=', isShown: false },
  { mimeType: 'image/gif', data: PNG, isShown: false },
  { mimeType: 'image/png', data: '', isShown: false },
  { mimeType: 'constructor', data: PNG, isShown: false },
])('a picture of $mimeType ($data) is shown to a model: $isShown', ({ mimeType, data, isShown }) => {
  const uri = 'file:///a';
  const { parts } = answerOf({
    content: [
      { type: 'image', mimeType, data },
      { type: 'resource', resource: { uri, mimeType, blob: data } },
    ],
  });

  if (isShown)
    expect(parts).toEqual([
      { type: 'image', mediaType: mimeType, data },
      { type: 'image', mediaType: mimeType, data },
    ]);
  else
    expect(parts).toMatchObject([
      { type: 'other', text: expect.stringContaining('left out') },
      { type: 'other', uri },
    ]);
});
