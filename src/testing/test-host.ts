import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PluginContext, PluginHost } from '../domain/extension-points.js';
import { readForeignPjson } from '../host/package-facts.js';
import { createPluginHost, type PluginCandidate } from '../host/plugin-host.js';
import { memoryVaults } from './memory-rows.js';
import { TestClock } from './test-clock.js';

/** What a test host is made from. */
export interface TestHostOptions {
  /** Directory of the plugin: where its package.json lies. */
  readonly plugin: string;
  /** What `secrets.env` answers for variables that the manifest names. */
  readonly env?: Readonly<Record<string, string>>;
  /** What `secrets.credential` answers. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Default: a network that cannot be reached. */
  readonly fetch?: typeof globalThis.fetch;
}

/** One line that a contribution wrote to its log. */
export interface LoggedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The real plugin host over one plugin; time, network and secrets are the test's. */
export interface TestHost {
  /** As kit uses it: `list`, `find`, `resolve`, `report`. */
  readonly host: PluginHost;
  /** Stands still until the test moves it; time-outs of the host run on it as well. */
  readonly clock: TestClock;
  readonly log: readonly LoggedLine[];
  /** An empty directory of this host, removed by `dispose`. */
  readonly directory: string;
  /** Disposes every contribution, then removes the directory. Idempotent. */
  dispose(): Promise<void>;
}

const noNetwork: typeof globalThis.fetch = () =>
  Promise.reject(new TypeError('this test host has no network; pass fetch'));

function recordingLog(lines: LoggedLine[]): PluginContext['log'] {
  const at =
    (level: LoggedLine['level']) =>
    (message: string, data: Readonly<Record<string, unknown>> = {}): void =>
      void lines.push({ level, message, data });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/**
 * Opens a plugin as kit does: its manifest is checked, a configuration meets its schema before
 * anything is imported, calls are guarded. Throws KIT_PLUGIN_LOAD_FAILED without a usable
 * package.json; a refused manifest is in `host.report()`.
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const root = resolve(options.plugin);
  const { name, version, kit } = await readForeignPjson(root);
  const candidate: PluginCandidate = { name, version, origin: 'linked', root, kitKey: kit, commands: [], dropped: [] };
  const { env = {}, credentials = {} } = options;
  const clock = new TestClock();
  const log: LoggedLine[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'kit-test-host-'));
  const host = createPluginHost([candidate], {
    clock,
    log: recordingLog(log),
    fetch: options.fetch ?? noNetwork,
    outbound: async (url, init) => (options.fetch ?? noNetwork)(url, init as RequestInit),
    vaultOf: memoryVaults(clock),
    secretsFor: (_info, declared) => ({
      env: (variable) => (declared.includes(variable) ? env[variable] || null : null),
      credential: async (ref) => {
        const value = credentials[ref];
        if (value === undefined) throw new Error(`no credential ${ref} in this test host`);
        return value;
      },
    }),
    verifyIntegrity: async () => {}, // the author's own files, which change under the test
    importModule: (url) => import(url),
  });
  return {
    host,
    clock,
    log,
    directory,
    dispose: async () => {
      await host.dispose();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
