import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MountedGroup } from '../../../src/app/serve/http-app.js';
import type { Contribution } from '../../../src/domain/extension-points.js';
import type { HttpTier } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { projectRoot } from '../kit-process.js';

interface Declared {
  readonly id: string;
  readonly module: string;
  readonly uses?: readonly string[];
  readonly prefix?: string;
  readonly tier?: HttpTier;
}

/** A group of a bundled plugin, with the file that its manifest names. */
export interface BundledGroup extends MountedGroup {
  readonly uses: readonly string[];
}

async function groupsOf(manifest: string, app: object): Promise<readonly BundledGroup[]> {
  const { name, kit } = JSON.parse(await readFile(join(projectRoot, manifest), 'utf8'));
  const declared: readonly Declared[] = kit?.contributes?.httpMounts ?? [];
  return Promise.all(
    declared.map(async ({ id, module, uses = [], prefix = '', tier = 'admin' }) => {
      const source = join(projectRoot, dirname(manifest), module.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
      const { contribution } = (await import(pathToFileURL(source).href)) as {
        readonly contribution: Contribution<'httpMounts'>;
      };
      return {
        id,
        plugin: name,
        isBundled: true,
        prefix,
        tier,
        uses,
        app,
        mount: await contribution.create({}, createTestContext({})),
      };
    }),
  );
}

/**
 * Every group of routes of every bundled plugin, from the sources behind the manifests, over these
 * use cases.
 */
export async function bundledGroups(app: object): Promise<readonly BundledGroup[]> {
  const folders = (await readdir(join(projectRoot, 'plugins'))).sort();
  return (await Promise.all(folders.map((folder) => groupsOf(`plugins/${folder}/package.json`, app)))).flat();
}
