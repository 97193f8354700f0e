import { createSilentLog } from './silent-log.mjs';
import { workerEnv } from './workspace.mjs';
import '../../../support/processes-typescript.mjs';

const { openSceneApp } = await import('../../../support/scene/scene-app.ts');

/**
 * kit's use cases over the workers' workspace, wired as every command wires them; complaints go to
 * stderr.
 */
export function openWorkersApp(directory, url) {
  const env = { PATH: process.env.PATH ?? '', ...workerEnv(directory, url) };
  return openSceneApp(directory, { env, log: createSilentLog() });
}
