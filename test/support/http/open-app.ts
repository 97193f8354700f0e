import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { App } from '../../../src/app/app.js';
import { createApp } from '../../../src/boot/app.js';
import { projectRoot } from '../kit-process.js';
import { sourceCandidates } from '../scene/scene-plugins.js';

/** A workspace of one test with the use cases of the real composition over it. */
export interface AppWorld {
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly app: App;
  /** Everything that this process logged. */
  readonly logged: () => string;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
}

/**
 * Wires the app as `boot` does, with plugins from their sources and a private home; gone when the
 * test ends.
 */
export async function openApp(
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<AppWorld> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-app-')));
  const workspace = join(base, 'workspace');
  const home = join(base, 'home');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    // A test about a failing provider is about the failure; what waits for it asks for patience.
    KIT_OUTAGE_PATIENCE_S: '0',
    ...variables,
  };
  const write = async (all: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(all)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }
  };
  await write(files);
  let logged = '';
  const app = appOver(workspace, env, (line) => {
    logged += line;
  });
  onTestFinished(async () => {
    await app.close();
    rmSync(base, { recursive: true, force: true });
  });
  return { workspace, env, app, logged: () => logged, write };
}

/** The use cases of the real composition over a directory; `env` names a home. */
export const appOver = (
  workspace: string,
  env: Readonly<Record<string, string>>,
  write: (line: string) => void = () => undefined,
): App =>
  createApp({
    plugins: {
      map: new Map(),
      candidates: sourceCandidates(),
      dataDir: join(env.HOME ?? workspace, 'data', 'kit'),
      packageRoot: projectRoot,
    },
    settings: SETTINGS(workspace),
    env,
    logLines: { write },
  });

const SETTINGS = (cwd: string) => ({
  verbose: false,
  quiet: false,
  workspace: null,
  server: null,
  findWorkspace: () => ({ kind: 'none' as const }),
  identity: () => null,
  traceParent: null,
  cwd,
  programPath: '',
  repositoryDir: cwd,
  noColor: true,
  ci: true,
  isDumbTerminal: true,
  stdinIsTty: false,
  stdinIsInput: false,
  stdoutIsTty: false,
  stdoutColumns: null,
  stderrIsTty: false,
});
