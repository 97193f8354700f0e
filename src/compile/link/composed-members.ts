import type { Workspace } from '../../domain/workspace.js';

/** With what composed skills ask, at any depth; circles are refused where the skills are read. */
export function withMembers(workspace: Pick<Workspace, 'skills'>, ids: readonly string[]): readonly string[] {
  const all = new Set(ids);
  // A set is walked in order of insertion, what is added on the way included.
  for (const id of all) {
    const implementation = workspace.skills.get(id)?.implementation;
    if (implementation?.type === 'composed') for (const member of implementation.composes) all.add(member);
  }
  return [...all];
}
