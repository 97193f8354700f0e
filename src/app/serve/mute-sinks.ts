import type { Workspace } from '../../domain/workspace.js';
import { maybeTextAt } from '../../lib/read-json.js';

/**
 * The event sinks whose credential is a variable that is not set: each message would be dropped
 * when it is sent, and whoever waits for it is not asked. A line each.
 */
export function muteSinks(
  { sinks, credentials }: Pick<Workspace, 'sinks' | 'credentials'>,
  isSet: (variable: string) => boolean,
): readonly string[] {
  return sinks.flatMap(({ sink, config }, index) =>
    Object.entries(config).flatMap(([key, ref]) => {
      const entry = key.endsWith('_ref') && typeof ref === 'string' ? credentials.get(ref) : undefined;
      if (entry?.source !== 'env') return [];
      const variable = maybeTextAt(entry.config, 'env') ?? maybeTextAt(entry.config, 'var');
      if (variable === null || isSet(variable)) return [];
      return [`event sink ${sink}#${index} sends nothing: ${variable} of its credential ${String(ref)} is not set`];
    }),
  );
}
