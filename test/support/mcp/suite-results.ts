import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One check of a scenario of the conformance suite. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Scenario -> what its checks said. */
export async function resultsIn(directory: string): Promise<Readonly<Record<string, readonly Check[]>>> {
  const paths = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('checks.json'));
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => {
        const name = /(?:^|\/)(?:server-)?([^/]+?)-\d{4}-\d\d-\d\dT[^/]*\/checks\.json$/.exec(path)?.[1] ?? path;
        return [name, JSON.parse(await readFile(join(directory, path), 'utf8'))] as const;
      }),
    ),
  );
}
