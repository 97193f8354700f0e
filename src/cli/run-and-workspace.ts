import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** What the two optional arguments of `kit trace [run] [workspace]` mean. */
export interface Place {
  readonly run: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * A directory alone is the workspace (docs/design/decisions.md#workspace-argument); what looks like
 * the id of a run is one.
 */
export function runAndWorkspace(
  args: { readonly run?: string | undefined; readonly workspace?: string | undefined },
  cwd: string,
): Place {
  const { run, workspace } = args;
  if (run === undefined || workspace !== undefined || /^[0-9a-f]{3,12}$/.test(run) || !isDirectory(resolve(cwd, run)))
    return { run, workspace };
  return { run: undefined, workspace: run };
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
