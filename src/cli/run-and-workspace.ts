import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KitError } from '../domain/errors.js';

/** What the two optional arguments of `kit trace [run] [workspace]` mean. */
export interface Place {
  readonly run: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * A directory alone is the workspace (docs/design/decisions.md#workspace-argument); what looks like
 * the id of a run is one. Throws KIT_USAGE for an empty word, such as a variable that is not set.
 */
export function runAndWorkspace(
  args: { readonly run?: string | undefined; readonly workspace?: string | undefined },
  cwd: string,
): Place {
  const { run, workspace } = args;
  if (run === '')
    throw new KitError('KIT_USAGE', 'the id of the run is empty', { hint: '`kit status` lists the runs.' });
  if (run === undefined || workspace !== undefined || /^[0-9a-f]{3,12}$/.test(run) || !isDirectory(resolve(cwd, run)))
    return { run, workspace };
  return { run: undefined, workspace: run };
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
