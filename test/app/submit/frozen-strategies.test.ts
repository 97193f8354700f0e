import { expect, it } from 'vitest';
import { frozenStrategies } from '../../../src/app/submit/frozen-strategies.js';
import type { ContributionInfo } from '../../../src/domain/extension-points.js';
import type { LinkedSkill } from '../../../src/domain/linked-skill.js';
import { commandSkill } from '../../support/run-world.js';

const info = (id: string): ContributionInfo =>
  ({ point: 'skillStrategies', id, name: id.split('.')[1] ?? id }) as ContributionInfo;
const pluginsWith = (...ids: readonly string[]) => {
  const known = ids.map(info);
  return {
    list: () => known,
    find: (_point: string, name: string) => known.find((one) => one.id === name || one.name === name) ?? null,
  };
};
const panel = (strategy: string, strategyClass?: string): LinkedSkill => ({
  ...commandSkill('panel', []),
  implementation: {
    type: 'composed',
    composes: ['a'],
    strategy,
    ...(strategyClass === undefined ? {} : { strategyClass }),
  },
});

it.each([
  ['named by its name', 'weigh', ['acme.weigh', 'acme.draw']],
  ['named by its id', 'acme.weigh', ['acme.weigh', 'acme.draw']],
  ['the only one', undefined, ['acme.weigh']],
] as const)('a strategy that is %s is frozen by its id', (_how, name, ids) => {
  expect(frozenStrategies([panel('custom', name)], pluginsWith(...ids))[0]?.implementation).toMatchObject({
    strategyClass: 'acme.weigh',
  });
});

it.each([
  ['unknown', 'other', ['acme.weigh']],
  ['nobody', undefined, []],
  ['one of several, without a name', undefined, ['acme.weigh', 'acme.draw']],
] as const)('a strategy that is %s refuses the run', (_how, name, ids) => {
  expect(() => frozenStrategies([panel('custom', name)], pluginsWith(...ids))).toThrow(
    expect.objectContaining({ code: 'KIT_PLUGIN_UNKNOWN' }),
  );
});

it('what kit knows itself asks no plugin, and stays the same object', () => {
  const skills = [panel('sequential'), commandSkill('other', [])];

  expect(frozenStrategies(skills, pluginsWith())).toEqual(skills);
  expect(frozenStrategies(skills, pluginsWith())[0]).toBe(skills[0]);
});
