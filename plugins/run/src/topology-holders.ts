import { basename, dirname } from 'node:path';
import { type App, KitError, shellWord } from '@kit-run/kit/command';

/** Workspaces that are looked into for a topology. */
const MAX_LOOKED = 20;

const NOTHING: { readonly topologies: readonly string[] } = { topologies: [] };

/**
 * The refusal of a topology that was named above several workspaces, with the line for the first
 * that has it; null: none does. `directories`: those directly below the current one, absolute.
 */
export async function holdersRefusal(
  topology: string,
  directories: readonly string[],
  info: Pick<App['info'], 'inventory'>,
): Promise<KitError | null> {
  const holders: string[] = [];
  for (const directory of directories.slice(0, MAX_LOOKED)) {
    // One that cannot be read has none.
    const { topologies } = await info.inventory(directory).catch(() => NOTHING);
    if (topologies.includes(topology)) holders.push(directory);
  }
  const [first] = holders;
  if (first === undefined) return null;
  const names = holders.map((directory) => basename(directory)).join(', ');
  return new KitError(
    'KIT_WORKSPACE_NOT_FOUND',
    `${dirname(first)} holds no workspace.yaml; below it ${names} ${holders.length === 1 ? 'has' : 'have'} a topology ${topology}`,
    { hint: `Name the workspace first: kit run ${shellWord(basename(first))} ${shellWord(topology)} --input TEXT` },
  );
}
