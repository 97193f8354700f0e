import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PluginHost } from '../../../src/domain/extension-points.js';
import type { Clock, Log } from '../../../src/domain/ports/system.js';
import { createTestContext } from '../../../src/domain/testing.js';
import type { HostParts } from '../../../src/host/host-parts.js';
import { createPluginHost, type PluginCandidate } from '../../../src/host/plugin-host.js';

/**
 * A bundled plugin from their sources: what is tested is what lies in the tree, not what was last
 * built.
 */
const candidate = (name: string): PluginCandidate => {
  const root = fileURLToPath(new URL(`../../../plugins/${name}`, import.meta.url));
  const text = readFileSync(`${root}/package.json`, 'utf8').replaceAll(/"\.\/dist\/([\w/-]+)\.js"/g, '"./src/$1.ts"');
  const { name: id, version, kit } = JSON.parse(text);
  return { name: id, version, origin: 'bundled', root, kitKey: kit, commands: [], dropped: [] };
};

/** Tool servers of a third party that answer with what they were told. */
const TOOLS: PluginCandidate = {
  name: 'scene-tools',
  version: '1.0.0',
  origin: 'linked',
  root: fileURLToPath(new URL('.', import.meta.url)),
  kitKey: {
    manifestVersion: 1,
    api: '^1.0.0',
    contributes: {
      toolSources: ['mcp', 'wiki'].map((name) => ({
        id: `scene.${name}`,
        name,
        title: 'Tools of a test',
        module: './echo-source.ts',
        effects: [],
      })),
    },
  },
  commands: [],
  dropped: [],
};

const CANDIDATES: readonly PluginCandidate[] = [
  ...['models', 'harness', 'governance', 'artifacts', 'auth', 'sinks', 'triggers', 'oauth'].map(candidate),
  TOOLS,
];

/** The same with what a server needs. */
export const sourceCandidates = (): readonly PluginCandidate[] => [
  ...CANDIDATES,
  candidate('serve'),
  candidate('console'),
  candidate('protocols'),
];

type Side = Pick<HostParts, 'secretsFor' | 'vaultOf' | 'outbound'>;

/** The real plugin host with the bundled contributions. */
export function openPlugins(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly side?: Side | undefined;
}): PluginHost {
  const { vault, outbound } = createTestContext();
  const none: Side = {
    secretsFor: () => ({
      env: () => null,
      credential: () => Promise.reject(new Error('no credentials here')),
    }),
    vaultOf: () => vault,
    outbound,
  };
  return createPluginHost(CANDIDATES, {
    clock: parts.clock,
    log: parts.log,
    fetch: globalThis.fetch,
    ...(parts.side ?? none),
    verifyIntegrity: async () => undefined,
    importModule: (url) => import(url),
  });
}
