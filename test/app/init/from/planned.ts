import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FromPlan, planFrom } from '../../../../src/app/init/from/plan-from.js';
import { fetchPackage } from '../../../../src/host/install/fetch-package.js';
import { nodeFiles } from '../../../../src/system/files.js';
import { runProgram } from '../../../../src/system/run-program.js';
import { openDirectory } from '../../../../src/system/sources/directory-source.js';
import { openGit } from '../../../../src/system/sources/git-source.js';
import { openTarball } from '../../../../src/system/sources/tarball-source.js';

export const YAML = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { name: team }\n';

/** Plans into `directory`, with what the machine has; fetches lie in `temp` of `base`. */
export const planIn = (
  base: string,
  from: string,
  environment: NodeJS.ProcessEnv = { PATH: process.env.PATH },
  directory = join(base, 'new'),
): Promise<FromPlan> => {
  mkdirSync(join(base, 'temp'), { recursive: true });
  return planFrom(
    { directory, from },
    {
      files: nodeFiles,
      packageRoot: process.cwd(),
      cwd: base,
      environment,
      openSource: (source, bounds, isLeftOut) => {
        const parts = { env: environment, tempDir: join(base, 'temp'), cwd: base };
        if (source.kind === 'directory') return openDirectory(source.path, bounds, isLeftOut);
        if (source.kind === 'tarball') return openTarball(source.path, bounds);
        if (source.kind === 'git') return openGit(source, parts);
        return fetchPackage(source.spec, {
          ...parts,
          run: runProgram,
          openTarball: (file) => openTarball(file, bounds),
        });
      },
    },
  );
};

/** What would be written under a name. */
export const textOf = (found: FromPlan, path: string) =>
  Buffer.from(found.files.find((file) => file.path === path)?.text ?? '').toString();
