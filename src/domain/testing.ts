import type { PluginContext } from './extension-points.js';
import type { Vault } from './ports/vault.js';

/** What a test of a contribution may replace of the context that the host injects. */
export type TestContextOptions = Partial<Omit<PluginContext, 'secrets'>> & {
  readonly env?: Readonly<Record<string, string>>;
  readonly credentials?: Readonly<Record<string, string>>;
};

const refuse = () => Promise.reject(new Error('this test context keeps nothing; pass vault'));
const NO_VAULT: Vault = {
  get: refuse,
  list: refuse,
  put: refuse,
  take: refuse,
  remove: refuse,
  drop: refuse,
  lease: refuse,
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * A context for tests: silent log, a clock that stands still and never waits, no network unless
 * `fetch` is given.
 */
export function createTestContext(options: TestContextOptions = {}): PluginContext {
  const { env = {}, credentials = {}, ...rest } = options;
  return {
    log: silent,
    clock: { now: () => 0, sleep: async () => {} },
    fetch: () => Promise.reject(new Error('this test context has no network; pass fetch')),
    outbound: () => Promise.reject(new Error('this test context has no network; pass outbound')),
    vault: NO_VAULT,
    signal: new AbortController().signal,
    plugin: { name: 'test', version: '0.0.0' },
    secrets: {
      env: (name) => env[name] || null,
      credential: async (ref) => {
        const value = credentials[ref];
        if (value === undefined) throw new Error(`no credential ${ref} in this test context`);
        return value;
      },
    },
    ...rest,
  };
}
