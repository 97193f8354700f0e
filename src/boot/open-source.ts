import type { OpenSource } from '../domain/ports/workspace-sources.js';
import { fetchPackage } from '../host/install/fetch-package.js';
import { runProgram } from '../system/run-program.js';
import { openDirectory } from '../system/sources/directory-source.js';
import { openGit } from '../system/sources/git-source.js';
import { openTarball } from '../system/sources/tarball-source.js';
import type { AppParts } from './parts.js';
import { tempDirOf } from './state-dir.js';

/** Fetches for `kit init --from`, with the git and the npm of this user. */
export const openSource =
  ({ env, settings }: AppParts): OpenSource =>
  (source, bounds, isLeftOut) => {
    const tempDir = tempDirOf(env);
    switch (source.kind) {
      case 'directory':
        return openDirectory(source.path, bounds, isLeftOut);
      case 'tarball':
        return openTarball(source.path, bounds);
      case 'git':
        return openGit(source, { env, tempDir });
      case 'npm':
        return fetchPackage(source.spec, {
          env,
          cwd: settings.cwd,
          tempDir,
          run: runProgram,
          openTarball: (file) => openTarball(file, bounds),
        });
    }
  };
