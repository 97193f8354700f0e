import type { App } from '../app/app.js';
import type { ProcessSettings } from '../cli/kit-command.js';
import { createAuthoring } from './app-authoring.js';
import { createObserve } from './app-observe.js';
import { createPlugins } from './app-plugins.js';
import { createProviders } from './app-providers.js';
import { createReview } from './app-review.js';
import { createRuns } from './app-runs.js';
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
    providers: createProviders(parts, plugins.host),
    validateWorkspace: runs.validate,
    close: async () => {
      await runs.close();
      await plugins.close();
    },
  };
}
