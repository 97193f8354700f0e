import { normalize } from './normalize.js';
import { openSceneApp, type SceneApp } from './scene-app.js';

export interface SceneReport {
  readonly said: readonly { readonly code: string }[];
  readonly isValid: boolean;
  readonly shown: unknown;
}

/**
 * What `kit validate --tree --json` says of a workspace. Left out: text of files, and the list of
 * keys without effect, either of which would make every key look effective.
 */
export async function reportScene(directory: string): Promise<SceneReport> {
  const app: SceneApp = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '' } });
  try {
    const { workspace, diagnostics, ids, tree, reachability, verification, launches } = await app.validate();
    const said = diagnostics
      .filter(({ code }) => code !== 'key.not-yet')
      .map(({ code, severity, message, path, pointer }) => ({ code, severity, message, path, pointer }));
    const { root: _root, ...named } = workspace ?? { root: '' };
    const shown = {
      workspace: named,
      ids,
      tree,
      reachability,
      verification,
      launches: launches.map(({ kind, id, argv }) => ({ kind, id, argv })),
    };
    return { said, isValid: workspace !== null, shown: normalize(shown, directory) };
  } finally {
    await app.close();
  }
}
