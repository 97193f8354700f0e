import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginCheckReport, PluginCheckRequest } from '../../domain/ports/plugin-authoring.js';
import type { TakenNames } from '../../host/check/check-package.js';
import { registerAll } from '../../host/registry.js';
import { namesOf } from '../../host/take-commands.js';
import { runProgram } from '../../system/run-program.js';
import { checkPlugin } from '../../testing/check/check-plugin.js';
import type { AppParts } from '../parts.js';
import { tempDirOf } from '../state-dir.js';

/**
 * What a plugin's code needs to be found and started; keys and tokens of the user stay out of its
 * reach.
 */
const PASSED_ON = ['PATH', 'PATHEXT', 'SystemRoot', 'LANG', 'LC_ALL', 'TZ'];

// Each in one piece: the build finds what is started by it.
const PRELOAD = new URL('map-exports.js', import.meta.url);
const PROBE = new URL('probe-process.js', import.meta.url);
const CONTRACT = new URL('contract-process.js', import.meta.url);
const MANIFEST = new URL('manifest-process.js', import.meta.url);

/** Names of what is bundled, but for the plugin itself: kit's own are checked as any other. */
function takenNames({ plugins }: AppParts, ownName: string | null): TakenNames {
  const bundled = [...plugins.map.values()].filter(({ type, name }) => type === 'core' && name !== ownName);
  const candidates = plugins.candidates.filter(({ origin, name }) => origin === 'bundled' && name !== ownName);
  const contributions = registerAll(candidates).flatMap((plugin) => plugin.contributions);
  return {
    commands: new Set(bundled.flatMap(({ commands }) => namesOf(commands))),
    packages: new Set(bundled.map(({ name }) => name)),
    contributions: new Set(
      contributions.flatMap(({ info }) => [`${info.point}/${info.id}`, `${info.point}/${info.name}`]),
    ),
  };
}

/** Which bundled plugin lies in that directory; null = none. */
async function bundledAt({ plugins, settings }: AppParts, directory: string): Promise<string | null> {
  const real = (path: string): Promise<string | null> => realpath(path).catch(() => null);
  const wanted = await real(resolve(settings.cwd, directory));
  for (const { name, origin, root } of plugins.candidates) {
    if (origin === 'bundled' && wanted !== null && (await real(root)) === wanted) return name;
  }
  return null;
}

/**
 * `kit plugins check`, with the processes of this kit and a home directory that is gone afterwards.
 */
export async function checkPluginWith(parts: AppParts, request: PluginCheckRequest): Promise<PluginCheckReport> {
  const home = await mkdtemp(join(tempDirOf(parts.env), 'kit-check-'));
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = parts.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  try {
    return await checkPlugin(request, {
      preload: PRELOAD.href,
      probe: fileURLToPath(PROBE),
      contract: fileURLToPath(CONTRACT),
      manifest: fileURLToPath(MANIFEST),
      env: { ...Object.fromEntries(passedOn), HOME: home, TMPDIR: home },
      testEnv: parts.env,
      run: runProgram,
      taken: takenNames(parts, await bundledAt(parts, request.directory)),
      cwd: parts.settings.cwd,
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
