import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isInside } from '@kit-run/kit/plugin';

/** Where a trigger watches; both are real paths. */
export interface Place {
  readonly workspace: string;
  readonly root: string;
}

export type FoundPlace = { readonly ok: true; readonly place: Place } | { readonly ok: false; readonly reason: string };

/** A root as it is written leaves the workspace: nothing on the disk can fix that. */
export const leavesWorkspace = (root: string): boolean => isAbsolute(root) || !isInside('/w', join('/w', root));

/**
 * Finds the folder, links resolved: a root that leads out of the workspace is refused
 * (docs/design/decisions.md#watched-files).
 */
export async function findPlace(workspaceRoot: string, root: string): Promise<FoundPlace> {
  const refuse = (reason: string): FoundPlace => ({ ok: false, reason });
  const workspace = await realpath(workspaceRoot).catch(() => null);
  if (workspace === null) return refuse('the workspace is gone');
  const found = await realpath(join(workspace, root)).catch(() => null);
  if (found === null) return refuse(`the folder \`${root}\` does not exist`);
  if (!isInside(workspace, found)) return refuse(`the folder \`${root}\` leads out of the workspace`);
  if (!(await stat(found)).isDirectory()) return refuse(`\`${root}\` is not a folder`);
  return { ok: true, place: { workspace, root: found } };
}
