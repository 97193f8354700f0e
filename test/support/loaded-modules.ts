import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKit } from './kit-process.js';

/**
 * Addresses of every script that a command loaded, CJS and ESM, by Node's own coverage;
 * milliseconds on shared machines lie, counts do not. Throws when the command fails.
 */
export async function modulesOf(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kit-budget-'));
  try {
    const { code, stderr } = await runKit(argv, { env: { ...env, NODE_V8_COVERAGE: folder } });
    if (code !== 0) throw new Error(stderr);
    const files = await readdir(folder);
    const reports = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))),
    );
    const urls = reports.flatMap(({ result }: { readonly result: readonly { readonly url: string }[] }) =>
      result.map(({ url }) => url),
    );
    return [...new Set(urls)].filter((url) => url.startsWith('file:'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
