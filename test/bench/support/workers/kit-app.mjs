import { createSilentLog } from './silent-log.mjs';
import '../../../support/processes-typescript.mjs';

const { openSceneApp } = await import('../../../support/scene/scene-app.ts');

/** kit's use cases over the workers' workspace, wired as every command wires them; complaints go to stderr. */
export function openWorkersApp(directory, url) {
  const env = { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: `${directory}/config`, BENCH_STORE_URL: url };
  return openSceneApp(directory, { env, log: createSilentLog() });
}
