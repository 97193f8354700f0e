import type { JsonSchema } from '@kit-run/kit/plugin';
import { own } from '../shared/json.js';

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2000-01-01T00:00:00Z',
  date: '2000-01-01',
  time: '00:00:00Z',
  duration: 'PT0S',
  email: 'mock@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/mock',
  uuid: '00000000-0000-4000-8000-000000000000',
  regex: '.',
  'json-pointer': '/mock',
};

/**
 * Words tried against a pattern, in this order: common shapes of ids, numbers, dates and sentences.
 */
const TRIED = [
  'mock',
  'Mock',
  'MOCK',
  'm',
  'M',
  '0',
  '1',
  '10',
  '1.0.0',
  'v1',
  'mock-1',
  'mock_1',
  'MOCK-1',
  '2000-01-01',
  '12:00',
  'a1b2c3d4e5f6',
  'https://example.com/',
  '/mock',
  'mock mock',
];

/**
 * 'mock', or what format, length and pattern ask for. Throws when no word it knows fits the
 * pattern.
 */
export function sampleString(schema: JsonSchema): string {
  const format = own(schema, 'format');
  const pattern = own(schema, 'pattern');
  const preferred = typeof format === 'string' ? (BY_FORMAT[format] ?? 'mock') : 'mock';
  const words = [preferred, ...TRIED].map((word) => toLength(word, schema));
  if (typeof pattern !== 'string') return words[0] ?? '';
  // A lookahead-free repetition of one letter is the commonest shape of a pattern with a length.
  const repeated = Array.from({ length: 64 }, (_, index) =>
    ['a', 'A', '0'].map((letter) => letter.repeat(index + 1)),
  ).flat();
  const test = new RegExp(pattern, 'u');
  const found = [...words, ...repeated].find(
    (word) =>
      test.test(word) &&
      word.length >= lengthAt(schema, 'minLength', 0) &&
      word.length <= lengthAt(schema, 'maxLength', Infinity),
  );
  if (found === undefined)
    throw new Error(
      `the mock provider knows no text for the pattern ${pattern}; give an \`examples\` in the output schema`,
    );
  return found;
}

function toLength(word: string, schema: JsonSchema): string {
  return word.padEnd(lengthAt(schema, 'minLength', 0), 'x').slice(0, lengthAt(schema, 'maxLength', Infinity));
}

function lengthAt(schema: JsonSchema, key: string, otherwise: number): number {
  const value = own(schema, key);
  return typeof value === 'number' ? value : otherwise;
}
