import { expect, it } from 'vitest';
import { sentenceOf } from '../../../src/compile/schema/sentences.js';

const helpFor = (instancePath: string, found: string): string | undefined =>
  sentenceOf(
    {
      ...{ keyword: 'enum', instancePath, schemaPath: '', data: found },
      params: { allowedValues: ['agt', 'mock', 'custom'] },
    },
    found,
  ).help;

it('a governance provider of a plugin is shown where its name belongs', () => {
  expect(helpFor('/governance/provider', 'house-rules')).toBe(
    'that of a plugin is `provider: custom` with `config: { provider_id: house-rules }`',
  );
});

it.each([
  ['/governance/provider', 'mcok', 'did you mean `mock`?'],
  ['/governance/provider', 'two words', undefined],
  ['/policy_language', 'house-rules', undefined],
])('nothing of a plugin is said of %s: %s', (pointer, found, help) => {
  expect(helpFor(pointer, found)).toBe(help);
});
