import { ENV_REGISTRY, type EnvVariable } from '../../domain/env.js';
import type { NotYetUse } from '../../domain/not-yet-use.js';

/**
 * Variables of kit that are set and that nothing reads yet, told like the keys of which that is
 * true. The value is left out: it may be a secret. A variable that other programs share
 * (`DATABASE_URL`) says nothing about kit.
 */
export function notYetVariables(
  isSet: (name: string) => boolean,
  registry: readonly EnvVariable[] = ENV_REGISTRY,
): readonly NotYetUse[] {
  const used = registry.filter(
    (variable) => variable.state === 'not-yet' && variable.name.startsWith('KIT_') && isSet(variable.name),
  );
  return used.map(({ name }) => ({
    key: name,
    mark: 'warn',
    path: 'environment',
    pointer: '',
    span: null,
    reachedBy: null,
    value: null,
  }));
}
