import type { CompressionPolicy, CompressionRule } from '../../domain/compression.js';
import { fitsName } from '../../lib/fits-name.js';

/** A tool as rules see it: its name for the model, and the server behind it. */
export interface ToolPlace {
  readonly tool: string;
  readonly server: string | null;
}

/**
 * What the policy says of one tool: the first override whose pattern fits its name or its server,
 * else the policy itself.
 */
export function ruleFor(policy: CompressionPolicy, { tool, server }: ToolPlace): CompressionRule {
  const override = policy.overrides.find(
    ({ match, matchServer }) =>
      (match !== null && fitsName(match, tool)) ||
      (matchServer !== null && server !== null && fitsName(matchServer, server)),
  );
  return {
    backend: override?.backend ?? policy.backend,
    backendClass: override?.backendClass ?? policy.backendClass,
    minBytes: override?.minBytes ?? policy.minBytes,
  };
}

/** Can some rule of the policy leave something out that `context_retrieve` gives back? */
export function keepsOriginals(policy: CompressionPolicy | undefined): boolean {
  if (policy === undefined) return false;
  const rules = [policy, ...policy.overrides.map((override) => ({ ...policy, ...withoutNulls(override) }))];
  return rules.some(
    ({ backend, backendClass }) => backend === 'headtail' || (backend === 'plugin' && isKept(policy, backendClass)),
  );
}

/** Is the original of what this contribution shortens there to be asked for? */
export const isKept = (policy: CompressionPolicy, backendClass: string | null): boolean =>
  backendClass !== null && (policy.keepOriginal ?? []).includes(backendClass);

const withoutNulls = (override: CompressionPolicy['overrides'][number]): Partial<CompressionRule> => ({
  ...(override.backend === null ? {} : { backend: override.backend }),
  ...(override.backendClass === null ? {} : { backendClass: override.backendClass }),
});
