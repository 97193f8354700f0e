import { startServe } from '../../support/http/serve-process.js';
import type { KitResult } from '../../support/kit-process.js';
import { triggerFile } from '../../support/triggers/trigger-world.js';
import { gated } from '../review/gated-workspace.js';
import { makeWorld, type World } from '../world.js';

export const KEYS = {
  QA_KEY: 'the-long-key-of-qa-1',
  OPS_KEY: 'the-long-key-of-ops-1',
  RITA_KEY: 'the-long-key-of-rita',
  ADA_KEY: 'the-long-key-of-ada',
} as const;

const SETTINGS = `server:
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:QA_KEY", client_id: qa-1, tier: run }
        - { key_ref: "env:OPS_KEY", client_id: ops-1, tier: run }
        - { key_ref: "env:RITA_KEY", client_id: rita, tier: read }
        - { key_ref: "env:ADA_KEY", client_id: ada, tier: admin }
`;

/** A workspace with its server, and a place without either. */
export interface Served {
  readonly world: World;
  readonly dir: string;
  readonly url: string;
  /** In the directory of the workspace, as qa-1. */
  local(argv: readonly string[], stdin?: string): Promise<KitResult>;
  /** By KIT_SERVER, with a key; null = without one. `cwd`: default a place without a workspace. */
  remote(
    argv: readonly string[],
    of?: { readonly key?: string | null; readonly url?: string; readonly cwd?: string },
  ): Promise<KitResult>;
  close(): Promise<void>;
}

/** `settings`: lines below `server:`; `files`: what a workspace has besides, out of its files. */
export async function openServed(
  of: {
    readonly settings?: string;
    readonly files?: (files: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  } = {},
): Promise<Served> {
  const world = await makeWorld();
  const files = gated({ workspace: `${SETTINGS}${of.settings ?? ''}` });
  const dir = world.files('gated', {
    ...files,
    ...of.files?.(files),
    'triggers/nightly.yaml': triggerFile('nightly', 'type: manual\ntargets: [plain, release]\n'),
    'triggers/off.yaml': triggerFile('off', 'type: manual\nenabled: false\ntargets: [plain]\n'),
  });
  const elsewhere = world.files('elsewhere', { 'note.txt': 'no workspace' });
  const server = await startServe([dir], { ...world.env, ...KEYS });
  return {
    world,
    dir,
    url: server.url,
    local: (argv, stdin) =>
      world.here(argv, { cwd: dir, env: { KIT_IDENTITY: 'qa-1', ...KEYS }, ...(stdin === undefined ? {} : { stdin }) }),
    remote: (argv, { key = KEYS.QA_KEY, url = server.url, cwd = elsewhere } = {}) =>
      world.here(argv, {
        cwd,
        env: { KIT_SERVER: url, ...(key === null ? {} : { KIT_TOKEN: key }) },
      }),
    close: async () => {
      server.kill('SIGKILL');
      await server.ended;
      await world.dispose();
    },
  };
}
