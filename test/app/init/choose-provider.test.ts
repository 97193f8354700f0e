import { expect, test } from 'vitest';
import { chooseProvider, type Machine } from '../../../src/app/init/choose-provider.js';

const machine = (more: Partial<Machine> = {}): Machine => ({
  environment: {},
  families: ['openai-compatible', 'openai', 'ollama', 'mock', 'rules'],
  ollamaModels: null,
  hasOllama: false,
  ...more,
});

test('a key that an installed plugin can use chooses its provider, and its value is not told', () => {
  const choice = chooseProvider(machine({ environment: { GROQ_API_KEY: 'gsk-secret' } }));

  expect(choice.model?.provider).toBe('groq');
  expect(choice.reason).toContain('GROQ_API_KEY is set');
  expect(JSON.stringify(choice)).not.toContain('gsk-secret');
});

test('an empty key is not a key', () => {
  expect(chooseProvider(machine({ environment: { OPENAI_API_KEY: ' ' } })).model).toBeNull();
});

test('a key whose family no plugin speaks is passed over and named', () => {
  expect(chooseProvider(machine({ environment: { ANTHROPIC_API_KEY: 'x' } }))).toEqual({
    model: null,
    reason: 'ANTHROPIC_API_KEY is set, but no installed plugin calls anthropic',
  });
  expect(
    chooseProvider(machine({ environment: { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'y' } })).model?.provider,
  ).toBe('openai');
  expect(
    chooseProvider(machine({ environment: { ANTHROPIC_API_KEY: 'x' }, families: ['anthropic'] })).model?.provider,
  ).toBe('anthropic');
});

test('a running Ollama with a model is chosen when there is no key', () => {
  const ollama = machine({ hasOllama: true, ollamaModels: ['qwen3:4b', 'llama3.2'] });

  expect(chooseProvider(ollama).model).toEqual({ provider: 'ollama', name: 'qwen3:4b' });
  expect(chooseProvider({ ...ollama, environment: { OPENAI_API_KEY: 'x' } }).model?.provider).toBe('openai');
  expect(chooseProvider({ ...ollama, families: ['mock'] }).model).toBeNull();
});

test.each([
  ['nothing is there', {}, 'no key of a provider is set, and no Ollama is here'],
  [
    'Ollama does not answer',
    { hasOllama: true },
    'Ollama is installed but does not answer; start it with `ollama serve`',
  ],
  [
    'Ollama has no model',
    { hasOllama: true, ollamaModels: [] },
    'Ollama runs here but has no model; `ollama pull llama3.2` gets one',
  ],
])('says why there is none when %s', (_name, more, reason) => {
  expect(chooseProvider(machine(more))).toEqual({ model: null, reason });
});
