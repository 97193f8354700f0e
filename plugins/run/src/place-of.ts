import { resolve } from 'node:path';
import { type App, KitError, shellWord } from '@kit-run/kit/command';
import { isDirectory } from './is-directory.js';

/** `kit run [workspace] [topology]` as it was typed. */
export interface TypedPlace {
  readonly workspace?: string | undefined;
  readonly topology?: string | undefined;
  /** As it is typed, such as `kit run`. */
  readonly command: string;
}

/** What the two arguments mean. `shown`: how the workspace was named, to paste; '' = not at all. */
export interface Place {
  readonly arg: string | undefined;
  readonly topology: string | undefined;
  readonly shown: string;
}

/**
 * One argument alone is the topology with `-w DIR`, and when it is no directory: the workspace is
 * then KIT_WORKSPACE or this one. Two arguments of which the first is no directory: throws
 * KIT_WORKSPACE_NOT_FOUND, and KIT_USAGE where they are swapped or stand beside `-w`.
 */
export function placeOf(args: TypedPlace, flag: string | undefined, cwd: string): Place {
  const isPlace = (word: string): boolean => isDirectory(resolve(cwd, word));
  const { workspace, topology, command } = args;
  if (workspace !== undefined && topology !== undefined && (flag !== undefined || !isPlace(workspace))) {
    const isSwapped = flag === undefined && isPlace(topology);
    const code = flag === undefined ? 'KIT_WORKSPACE_NOT_FOUND' : 'KIT_USAGE';
    throw misplaced(command, { first: workspace, second: topology, isSwapped, code });
  }
  const isShifted = topology === undefined && workspace !== undefined && (flag !== undefined || !isPlace(workspace));
  const arg = isShifted ? undefined : workspace;
  return { arg, topology: isShifted ? workspace : topology, shown: flag ?? arg ?? '' };
}

/**
 * Above several workspaces nobody guesses which one a topology is of. Throws
 * KIT_WORKSPACE_NOT_FOUND with the line for the first that has it.
 */
export async function refuseAbove(
  topology: string,
  directories: readonly string[],
  info: Pick<App['info'], 'inventory'>,
): Promise<void> {
  if (directories.length === 0) return;
  const { holdersRefusal } = await import('./topology-holders.js');
  const refusal = await holdersRefusal(topology, directories, info);
  if (refusal !== null) throw refusal;
}

/** What somebody would say to a run stands behind a flag, and is never taken for a place. */
function misplaced(
  command: string,
  {
    first,
    second,
    isSwapped,
    code,
  }: {
    readonly first: string;
    readonly second: string;
    readonly isSwapped: boolean;
    readonly code: 'KIT_WORKSPACE_NOT_FOUND' | 'KIT_USAGE';
  },
): KitError {
  if (isSwapped)
    return new KitError('KIT_USAGE', `${first} is no directory: the workspace stands before the topology`, {
      hint: `Swap them: ${command} ${shellWord(second)} ${shellWord(first)}`,
    });
  return new KitError(code, `of two words the first is a workspace, and ${first} is no directory`, {
    hint: `An input stands behind its flag: ${command} ${shellWord(first)} --input TEXT`,
  });
}
