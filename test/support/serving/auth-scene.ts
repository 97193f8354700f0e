import { loadWorkspace } from '../../../src/app/load-workspace.js';
import { type OpenedAuth, openAuth } from '../../../src/app/serve/auth/open-auth.js';
import { noVault } from '../../../src/boot/open-vault.js';
import { openWorkspaceHost } from '../../../src/boot/workspace-host.js';
import { roleDirectory } from '../../../src/compile/link/role-directory.js';
import type { RoleDirectory } from '../../../src/domain/gates.js';
import type { Clock } from '../../../src/domain/ports/system.js';
import { createTestContext } from '../../../src/domain/testing.js';
import type { Workspace } from '../../../src/domain/workspace.js';
import { createClock } from '../../../src/system/clock.js';
import { nodeFiles } from '../../../src/system/files.js';
import { deps } from '../compile.js';
import { openPlugins } from '../scene/scene-plugins.js';

export interface AuthScene {
  readonly workspace: Workspace;
  readonly roles: RoleDirectory;
  /** Throws what a start would throw. */
  readonly open: () => Promise<OpenedAuth>;
  /** What the log was told, a line each. */
  readonly logged: readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Authentication of a server over one directory, wired as `boot` wires a workspace: real plugins,
 * real credentials, this environment.
 */
export async function openAuthScene(
  directory: string,
  env: Readonly<Record<string, string>>,
  clock: Clock = createClock(),
): Promise<AuthScene> {
  const logged: string[] = [];
  const write = (message: string, data?: object): void => void logged.push(`${message} ${JSON.stringify(data ?? {})}`);
  const log = { debug: write, info: write, warn: write, error: write };
  const owned: { dispose(): Promise<void> }[] = [];
  const plugins = openPlugins({ clock, log });
  owned.push(plugins);
  const authProviders = plugins.list('authProviders').map(({ name }) => name);
  const { workspace, references } = await loadWorkspace(directory, { ...deps(env), authProviders });
  const { host, credentials } = await openWorkspaceHost({
    env: { ...env },
    log,
    files: nodeFiles,
    openHost: async (side) => {
      const own = openPlugins({ clock, log, side });
      owned.push(own);
      return own;
    },
    vault: noVault,
    outbound: { fetchOf: () => createTestContext().outbound },
    workspace: { root: workspace.root, credentials: workspace.credentials, lookup: references.lookup },
  });
  return {
    workspace,
    roles: roleDirectory(workspace.roles),
    open: () => openAuth(workspace, { host, credentials, log }),
    logged,
    close: async () => {
      for (const own of owned) await own.dispose();
    },
  };
}
