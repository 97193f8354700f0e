import type { App } from '../app/app.js';
import type { ProofDeps } from '../app/proof/create-proof-app.js';
import type { ProcessSettings } from '../cli/kit-command.js';
import { KitError } from '../domain/errors.js';
import { createArtifacts } from './app-artifacts.js';
import { createAuthoring } from './app-authoring.js';
import { createEditing } from './app-editing.js';
import { createObserve } from './app-observe.js';
import { createPlugins } from './app-plugins.js';
import { createProofs } from './app-proof.js';
import { createProviders } from './app-providers.js';
import { createReview } from './app-review.js';
import { createRuns, type Runs } from './app-runs.js';
import type { LoadedPlugins } from './discovery/plugins.js';
import type { LogLines } from './terminal.js';

/** What the composition is made of. */
export interface AppParts {
  readonly plugins: LoadedPlugins;
  readonly settings: ProcessSettings;
  readonly env: NodeJS.ProcessEnv;
  /** Where the log of this process goes. */
  readonly logLines: Pick<LogLines, 'write'>;
}

/** Wires use cases to real parts; every part is imported when it is first used. */
export function createApp(parts: AppParts): App {
  const plugins = createPlugins(parts);
  const runs = createRuns(parts, plugins);
  return {
    plugins: plugins.app,
    authoring: createAuthoring(parts, plugins.host),
    runs: runs.app,
    observe: createObserve(runs.observe),
    review: createReview(runs.review),
    proofs: createProofs(() => proofDeps(parts, runs)),
    artifacts: createArtifacts(runs.observe),
    providers: createProviders(parts, plugins.host),
    editing: createEditing(parts, plugins, async () => {
      throw new KitError('KIT_NOT_READY', 'no server runs in this process');
    }),
    validateWorkspace: runs.validate,
    close: async () => {
      await runs.close();
      await plugins.close();
    },
  };
}

async function proofDeps(parts: AppParts, runs: Runs): Promise<ProofDeps> {
  const [looking, { nodeFiles }, { openSigner }, { join }] = await Promise.all([
    runs.observe(),
    import('../system/files.js'),
    import('./signing-key.js'),
    import('node:path'),
  ]);
  return {
    ...looking,
    files: nodeFiles,
    openSigner: () => openSigner(parts.env),
    schemaPath: join(parts.plugins.packageRoot, 'schemas', 'proof.schema.json'),
  };
}
