import { expect, it } from 'vitest';
import { assertAnswers } from '../../../src/app/submit/judging.js';

const request = { answer: { system: 'You answer.' } } as unknown as Parameters<typeof assertAnswers>[0];
const providers = (contribution: string) =>
  ({ providers: { rules: { contribution } } }) as unknown as Parameters<typeof assertAnswers>[1];

it('a question is not put to the provider that is not a language model', () => {
  expect(() => assertAnswers(request, providers('kit.rules'))).toThrow(/rules is not a language model/);
});

it('a question is put to a model, and a run without a question to anybody', () => {
  expect(() => assertAnswers(request, providers('kit.mock'))).not.toThrow();
  expect(() => assertAnswers({ ...request, answer: undefined } as never, providers('kit.rules'))).not.toThrow();
});
