import { expect, it } from 'vitest';
import { profileOf } from '../../src/engine/session-diff.js';

const harness = { kind: 'harness', ref: 'tool', config: {}, onInDoubt: 'repeat' } as const;
const adapters = (artifacts?: { readonly profile: string }) => ({
  adapters: { tool: { spec: artifacts === undefined ? {} : { artifacts }, digest: 'd', source: 'workspace' } as const },
});

it.each([
  ['nothing', undefined, 'files'],
  ['files', { profile: 'files' }, 'files'],
  ['structured', { profile: 'structured' }, 'structured'],
  ['media', { profile: 'media' }, 'media'],
])('an adapter that says %s leaves what it says', (_said, artifacts, expected) => {
  expect(profileOf(adapters(artifacts), { executor: harness, activation: {} })).toBe(expected);
});

it('every change of who may only read is told, whatever the adapter says', () => {
  const activation = { view: { paths: [], files: {} } };

  expect(profileOf(adapters({ profile: 'structured' }), { executor: harness, activation })).toBe('files');
});

it('an executor of a plugin has no adapter, and leaves files', () => {
  expect(
    profileOf(adapters({ profile: 'structured' }), { executor: { ...harness, kind: 'plugin' }, activation: {} }),
  ).toBe('files');
});
