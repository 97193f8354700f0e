// Removes what an earlier build has made of sources that are gone since: commands and programs of
// plugins are found by pattern, and the package holds what lies there.
import { existsSync } from 'node:fs';
import { glob, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Only the compiler writes declarations, one for each source: one without it is stale, and so is
 * the code of its name. Everything else in `dist` stays.
 */
export async function removeStale(root, projects) {
  for (const project of projects) {
    const [src, dist] = ['src', 'dist'].map((name) => join(root, project, name));
    for await (const file of glob('**/*.d.ts', { cwd: dist })) {
      const name = file.slice(0, -'.d.ts'.length);
      if (['.ts', '.tsx'].some((end) => existsSync(join(src, name + end)))) continue;
      await Promise.all(['.d.ts', '.js', '.cjs'].map((end) => rm(join(dist, name + end), { force: true })));
    }
  }
}
