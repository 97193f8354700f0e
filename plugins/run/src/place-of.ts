import { resolve } from 'node:path';
import { type App, isDirectory, KitError, shellWord } from '@kit-run/kit/command';

/** `kit run [workspace] [topology]` as it was typed. */
export interface TypedPlace {
  readonly workspace?: string | undefined;
  readonly topology?: string | undefined;
  /** `--input` was given: a second word is not an input that lost its flag. */
  readonly hasInput: boolean;
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
 * One argument alone is the topology with `-w DIR`, and when it is not a directory: the workspace
 * is then KIT_WORKSPACE or this one. Two arguments of which the first is not a directory: throws
 * KIT_WORKSPACE_NOT_FOUND, and KIT_USAGE where they are swapped or stand beside `-w`.
 */
export function placeOf(args: TypedPlace, flag: string | undefined, cwd: string): Place {
  const isPlace = (word: string): boolean => isDirectory(resolve(cwd, word));
  const { workspace: first, topology: second, command } = args;
  const isTopology = first !== undefined && (flag !== undefined || !isPlace(first));
  if (isTopology && second !== undefined) {
    const line = (...words: readonly string[]): string => `${command} ${words.map(shellWord).join(' ')}`;
    // What somebody would say to a run stands behind a flag, and is never taken for a place.
    const inputHint = (...words: readonly string[]): string =>
      `An input stands behind its flag: ${line(...words, '--input', second)}`;
    if (flag !== undefined)
      throw namedTwice(
        isPlace(first) || args.hasInput
          ? `Leave one of them out: ${line(second, '-w', flag)}`
          : inputHint(first, '-w', flag),
      );
    if (isPlace(second)) throw swapped(first, line(second, first));
    throw noPlace(first, args.hasInput ? elsewhereHint(`${line(second)} --input TEXT`) : inputHint(first));
  }
  const arg = isTopology ? undefined : first;
  return { arg, topology: isTopology ? first : second, shown: flag ?? arg ?? '' };
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

const TWO_WORDS = 'of two words the first is a workspace';

const elsewhereHint = (line: string): string =>
  `Name the directory of a workspace, or leave it out where you stand in one: ${line}`;

const namedTwice = (hint: string): KitError =>
  new KitError('KIT_USAGE', `${TWO_WORDS}, and -w names one too`, { hint });

const noPlace = (first: string, hint: string): KitError =>
  new KitError('KIT_WORKSPACE_NOT_FOUND', `${TWO_WORDS}, and ${first} is not a directory`, { hint });

const swapped = (first: string, line: string): KitError =>
  new KitError('KIT_USAGE', `${first} is not a directory: the workspace stands before the topology`, {
    hint: `Swap them: ${line}`,
  });
