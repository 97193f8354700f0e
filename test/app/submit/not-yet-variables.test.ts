import { expect, it } from 'vitest';
import { notYetVariables } from '../../../src/app/submit/not-yet-variables.js';
import { ENV_REGISTRY, type EnvVariable } from '../../../src/domain/env.js';

const [real] = ENV_REGISTRY;
const early = (name: string): EnvVariable => ({ ...(real as EnvVariable), name, state: 'not-yet' });
const REGISTRY = [...ENV_REGISTRY, early('KIT_SOON'), early('SHARED_SOON')];

const namesFor = (...set: readonly string[]) =>
  notYetVariables((name) => set.includes(name), REGISTRY).map((use) => use.key);

it('names the variables of kit that are set and that nothing reads yet', () => {
  expect(namesFor('KIT_SOON', 'KIT_PROVIDER', 'KIT_STATE_DIR')).toEqual(['KIT_SOON']);
});

it('says nothing of variables that are not set, or that other programs share', () => {
  expect(namesFor()).toEqual([]);
  expect(namesFor('SHARED_SOON')).toEqual([]);
});

it('leaves the value out: it may be a secret', () => {
  expect(notYetVariables(() => true, REGISTRY).map((use) => use.value)).toEqual([null]);
});

it('finds none among those that there are', () => {
  expect(notYetVariables(() => true)).toEqual([]);
});
