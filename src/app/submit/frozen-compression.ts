import type { CompressionBackend, CompressionPolicy } from '../../domain/compression.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';

const OFF: readonly string[] = ['off', 'none', '0', 'false', 'no'];
const BACKENDS: Readonly<Record<string, CompressionBackend>> = {
  columnar: 'columnar',
  json: 'columnar',
  on: 'columnar',
  '1': 'columnar',
  true: 'columnar',
  yes: 'columnar',
  headtail: 'headtail',
  plugin: 'plugin',
};

/** What the policy of a run comes from. */
export interface CompressionSources {
  readonly policy: CompressionPolicy;
  /** `run` variables as they are frozen. */
  readonly env: Readonly<Record<string, string | number>>;
  readonly plugins: Pick<PluginHost, 'find'>;
}

/**
 * The compression of a run: the workspace's, with KIT_CONTEXT_COMPRESSION and
 * KIT_CONTEXT_COMPRESSION_MIN_BYTES over its top level. An override keeps what it says itself; only
 * the variable's `off` switches overrides off too. null = nothing is ever compressed.
 *
 * Throws KIT_ENV_INVALID for a backend that does not exist, and for `plugin` where the workspace
 * names no class or one that is not installed.
 */
export function frozenCompression({ policy, env, plugins }: CompressionSources): CompressionPolicy | null {
  const word = String(env.KIT_CONTEXT_COMPRESSION ?? '')
    .trim()
    .toLowerCase();
  if (OFF.includes(word)) return null;
  const minBytes = env.KIT_CONTEXT_COMPRESSION_MIN_BYTES;
  const frozen: CompressionPolicy = {
    ...policy,
    backend: word === '' ? policy.backend : wantedBackend(word, policy, plugins),
    ...(typeof minBytes === 'number' ? { minBytes } : {}),
  };
  const rules = [frozen, ...frozen.overrides];
  if (rules.every(({ backend }) => (backend ?? frozen.backend) === 'off')) return null;
  const classes = new Set(rules.flatMap(({ backendClass }) => backendClass ?? []));
  const kept = [...classes].filter((name) => plugins.find('compressors', name)?.keepsOriginal === true);
  return kept.length === 0 ? frozen : { ...frozen, keepOriginal: kept };
}

function wantedBackend(word: string, policy: CompressionPolicy, plugins: Pick<PluginHost, 'find'>): CompressionBackend {
  const backend = Object.hasOwn(BACKENDS, word) ? BACKENDS[word] : undefined;
  if (backend === undefined) {
    throw new KitError('KIT_ENV_INVALID', 'KIT_CONTEXT_COMPRESSION names no backend of context compression', {
      hint: 'Set it to off, columnar, headtail or plugin.',
      data: { variables: ['KIT_CONTEXT_COMPRESSION'] },
    });
  }
  if (
    backend === 'plugin' &&
    (policy.backendClass === null || plugins.find('compressors', policy.backendClass) === null)
  ) {
    const what =
      policy.backendClass === null
        ? 'the workspace names no backend_class'
        : `no installed plugin contributes ${policy.backendClass}`;
    throw new KitError('KIT_ENV_INVALID', `KIT_CONTEXT_COMPRESSION is plugin, but ${what}`, {
      hint: 'Name an installed compressor as `context_compression.backend_class`; `kit plugins list` shows what there is.',
      data: { variables: ['KIT_CONTEXT_COMPRESSION'] },
    });
  }
  return backend;
}
