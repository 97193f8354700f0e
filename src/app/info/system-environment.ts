import { looksSecret } from '../../compile/interpolate/references.js';
import { ENV_REGISTRY, PROVIDER_VARIABLES } from '../../domain/env.js';
import { withoutPasswords } from '../../lib/show-url.js';
import type { SystemVariable } from '../../view/system-report.js';

/** What stands for the value of a secret. */
export const SET = 'set';

/**
 * Every variable that kit or one of its providers reads, in the order of the registry. A secret
 * shows as `set`; of a URL the parts that can hold a password are taken out, and one that cannot be
 * read shows as `set` too.
 */
export function systemEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): readonly SystemVariable[] {
  return [
    ...ENV_REGISTRY.map(({ name, scope, state, description }) => ({
      name,
      group: scope,
      description: state === 'not-yet' ? `${description} Not yet in force.` : description,
    })),
    ...PROVIDER_VARIABLES.map(({ name, description }) => ({ name, group: 'provider' as const, description })),
  ].map((variable) => ({ ...variable, ...shown(variable.name, environment[variable.name] ?? '') }));
}

function shown(name: string, value: string): Pick<SystemVariable, 'isSet' | 'value' | 'isSensitive'> {
  // Headers are where keys are sent.
  const isSensitive = looksSecret(name) || name.endsWith('_HEADERS');
  if (value === '') return { isSet: false, value: null, isSensitive };
  return { isSet: true, value: isSensitive ? SET : shownValue(name, value), isSensitive };
}

/** A connection string of another form than a URL may hold a password anywhere. */
const shownValue = (name: string, value: string): string =>
  name.endsWith('_URL') && !value.includes('://') ? SET : (withoutPasswords(value) ?? SET);
