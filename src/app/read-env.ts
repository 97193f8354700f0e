import { ENV_REGISTRY } from '../domain/env.js';
import { KitError } from '../domain/errors.js';
import { parseEnvironment } from '../lib/env-config.js';

/** The variables of the registry, parsed. Everything else of the environment stays where it is. */
export interface EnvConfig {
  /** Every variable with its effective value; null = unset without a default. */
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  /**
   * Variables marked `run`, without the unset ones: what a snapshot freezes
   * (docs/design/journal.md#snapshot).
   */
  readonly run: Readonly<Record<string, string | number>>;
  /** Names that the environment really sets. */
  readonly set: readonly string[];
}

/**
 * Parses the environment against ENV_REGISTRY. An empty value counts as unset.
 *
 * Throws KIT_ENV_INVALID naming every variable whose value does not fit; values are never repeated
 * in the message.
 */
export function readEnv(raw: Readonly<Record<string, string | undefined>>): EnvConfig {
  const parsed = parseEnvironment(raw, ENV_REGISTRY);
  if (parsed.problems.length > 0) {
    throw new KitError(
      'KIT_ENV_INVALID',
      parsed.problems.map((problem) => `${problem.name} ${problem.message}`).join('; '),
      {
        data: { variables: parsed.problems.map((problem) => problem.name) },
      },
    );
  }
  const run: Record<string, string | number> = {};
  for (const variable of ENV_REGISTRY) {
    const value = parsed.values[variable.name];
    if (variable.scope === 'run' && (typeof value === 'string' || typeof value === 'number'))
      run[variable.name] = value;
  }
  return { values: parsed.values, run, set: parsed.set };
}
