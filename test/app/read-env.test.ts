import { expect, test } from 'vitest';
import { readEnv } from '../../src/app/read-env.js';
import { isKitError } from '../../src/domain/errors.js';

const refusedNames = (raw: Readonly<Record<string, string>>): unknown => {
  try {
    readEnv(raw);
    return [];
  } catch (error) {
    return isKitError(error) && error.code === 'KIT_ENV_INVALID' ? error.data.variables : error;
  }
};

test('unset and empty variables have the default of the registry', () => {
  const { values, set } = readEnv({ KIT_MAX_TOOLS: '' });

  expect(values.KIT_MAX_TOOLS).toBe(10);
  expect(values.KIT_PROVIDER).toBeNull();
  expect(set).toEqual([]);
});

test('values have the type of the registry', () => {
  const { values, run } = readEnv({ KIT_MAX_TOOL_TURNS: '7', KIT_VERBOSE: 'true', KIT_MODEL: 'x' });

  expect([values.KIT_MAX_TOOL_TURNS, values.KIT_VERBOSE, values.KIT_MODEL]).toEqual([7, true, 'x']);
  expect(run).toMatchObject({ KIT_MAX_TOOL_TURNS: 7, KIT_MODEL: 'x' });
  expect(Object.hasOwn(run, 'KIT_VERBOSE')).toBe(false);
});

test.each(['NaN', 'Infinity', '1.5', '0', '-3', 'ten', '1e999', '99999999999999999999'])(
  'KIT_MAX_TOOLS=%s is refused by name',
  (value) => {
    expect(refusedNames({ KIT_MAX_TOOLS: value })).toEqual(['KIT_MAX_TOOLS']);
  },
);

test('all wrong variables are named at once, and no value is repeated', () => {
  expect(refusedNames({ KIT_MAX_TOOLS: 'x', KIT_VERBOSE: 'perhaps' })).toEqual(['KIT_MAX_TOOLS', 'KIT_VERBOSE']);
  expect(() => readEnv({ KIT_MAX_TOOLS: 'hunter2' })).toThrow(/^KIT_MAX_TOOLS must be a whole number of at least 1$/);
});
