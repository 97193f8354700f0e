import { resolve } from 'node:path';
import { isDirectory } from './is-directory.js';

/** `kit run [workspace] [topology]` as it was typed. */
export interface TypedPlace {
  readonly workspace?: string | undefined;
  readonly topology?: string | undefined;
}

/** What the two arguments mean. `shown`: how the workspace was named, to paste; '' = not at all. */
export interface Place {
  readonly arg: string | undefined;
  readonly topology: string | undefined;
  readonly shown: string;
}

/**
 * One argument alone is the topology with `-w DIR`, and when it is no directory: the workspace is
 * then KIT_WORKSPACE or this one.
 */
export function placeOf(args: TypedPlace, flag: string | undefined, cwd: string): Place {
  const isShifted =
    args.topology === undefined &&
    args.workspace !== undefined &&
    (flag !== undefined || !isDirectory(resolve(cwd, args.workspace)));
  const arg = isShifted ? undefined : args.workspace;
  return { arg, topology: isShifted ? args.workspace : args.topology, shown: flag ?? arg ?? '' };
}
