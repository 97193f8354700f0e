import { expect, it } from 'vitest';
import { notYetVariables } from '../../../src/app/submit/not-yet-variables.js';

const namesFor = (...set: readonly string[]) => notYetVariables((name) => set.includes(name)).map((use) => use.key);

it('names the variables of kit that are set and that nothing reads yet', () => {
  expect(namesFor('KIT_OAUTH_RUN_WINDOW_S', 'KIT_PROVIDER', 'KIT_STATE_DIR')).toEqual(['KIT_OAUTH_RUN_WINDOW_S']);
});

it('says nothing of variables that are not set, or that other programs share', () => {
  expect(namesFor()).toEqual([]);
  expect(namesFor('DATABASE_URL')).toEqual([]);
});

it('leaves the value out: it may be a secret', () => {
  expect(notYetVariables(() => true).map((use) => use.value)).toEqual(notYetVariables(() => true).map(() => null));
});
