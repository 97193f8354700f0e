import { expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';

const problemOf = (text: string) => parseSource({ path: 'a.yaml', text }).diagnostics[0];

test('says that a file holds too many values, and nothing of aliases', () => {
  const item = Array(10).fill('1').join(', ');
  const text = `a:\n${Array(10_000).fill(`  - [${item}]`).join('\n')}\n`;
  expect(problemOf(text)).toMatchObject({ message: 'the file holds more than 100000 values' });
});

test('refuses a file of more than 5 MiB before it is parsed', () => {
  const text = `a: "${'é'.repeat(3 * 1024 * 1024)}\n`;
  expect(problemOf(text)).toMatchObject({ code: 'workspace.malformed', message: 'the file is larger than 5 MiB' });
});
