import { readdir, readFile } from 'node:fs/promises';

/**
 * Ids of processes whose HOME is this one, which are those of the bench; null where the system does
 * not tell of them.
 */
export async function processesOf(home: string): Promise<readonly number[] | null> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return null;
  const found: number[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const env = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    const state = env === '' ? '' : await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // One that has ended and that nobody has asked about is none.
    if (env.split('\0').includes(`HOME=${home}`) && !/\) Z /.test(state)) found.push(Number(name));
  }
  return found;
}
