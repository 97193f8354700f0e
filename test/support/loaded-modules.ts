import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, runKit } from './kit-process.js';

const PROGRAM = pathToFileURL(join(projectRoot, 'dist/program/')).href;

/** File of the folded program -> the modules that lie in it, as addresses. */
async function foldedModules(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folded: Readonly<Record<string, readonly string[]>> = JSON.parse(
    await readFile(join(projectRoot, 'dist/program/modules.json'), 'utf8'),
  );
  const entries = Object.entries(folded).map(
    ([file, modules]) => [`${PROGRAM}${file}`, modules.map((path) => new URL(path, PROGRAM).href)] as const,
  );
  return new Map(entries);
}

export interface Loaded {
  /** Addresses of every script, CJS and ESM; of a file of the program, those folded into it. */
  readonly modules: readonly string[];
  /** How many files that were. */
  readonly files: number;
}

/**
 * What a command loads, by Node's own coverage; milliseconds on shared machines lie, counts do not.
 * Throws when the command fails.
 */
export async function loadedBy(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Loaded> {
  const folder = await mkdtemp(join(tmpdir(), 'kit-budget-'));
  try {
    const { code, stderr } = await runKit(argv, { env: { ...env, NODE_V8_COVERAGE: folder } });
    if (code !== 0) throw new Error(stderr);
    const files = await readdir(folder);
    const reports = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))),
    );
    const all = reports.flatMap(({ result }: { readonly result: readonly { readonly url: string }[] }) =>
      result.map(({ url }) => url),
    );
    const urls = [...new Set(all)].filter((url) => url.startsWith('file:'));
    const folded = await foldedModules();
    return { files: urls.length, modules: urls.flatMap((url) => folded.get(url) ?? [url]) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
