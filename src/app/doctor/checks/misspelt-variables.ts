import { CHILD_VARIABLES, ENV_REGISTRY, MACHINE_VARIABLES, PROVIDER_VARIABLES } from '../../../domain/env.js';
import { nearest } from '../../../lib/nearest.js';
import type { MisspeltVariable } from './machine.js';

/** A shorter name is near to too many others. */
const MIN_CHARS = 9;

/**
 * Variables whose names begin as those of kit, that nothing of kit reads, and that are spelt almost
 * like one of its own. A workspace may read any other by its name.
 */
export function misspeltVariables(names: readonly string[]): readonly MisspeltVariable[] {
  const known = [ENV_REGISTRY, CHILD_VARIABLES, PROVIDER_VARIABLES, MACHINE_VARIABLES].flatMap((list) =>
    list.map(({ name }) => name),
  );
  return names.flatMap((name) => {
    if (!name.startsWith('KIT_') || name.length < MIN_CHARS || known.includes(name)) return [];
    const meant = nearest(name, known);
    return meant === null ? [] : [{ name, meant }];
  });
}
