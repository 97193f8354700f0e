import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** What the two optional arguments of `kit artifacts list [correlation] [workspace]` mean. */
export interface Place {
  readonly correlation: string | undefined;
  readonly workspace: string | undefined;
}

/** A directory alone is the workspace (docs/design/decisions.md#workspace-argument). */
export function correlationAndWorkspace(
  args: { readonly correlation?: string | undefined; readonly workspace?: string | undefined },
  cwd: string,
): Place {
  const { correlation, workspace } = args;
  if (correlation === undefined || workspace !== undefined || !isDirectory(resolve(cwd, correlation)))
    return { correlation, workspace };
  return { correlation: undefined, workspace: correlation };
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
