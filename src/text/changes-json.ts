import type { AppliedChanges, RunChanges } from '../app/changes/changes-app.js';
import type { AgentChange } from '../domain/changes.js';
import type { JsonObject } from '../domain/json.js';
import type { WrittenPath } from '../domain/ports/repository.js';
import { toWireChange } from '../view/schemas/change.js';

/** A list of files without what each of them holds. */
function withoutDiff(change: AgentChange): JsonObject {
  const { diff: _, ...rest } = toWireChange(change);
  return rest;
}

const toWireWritten = ({ path, change, linkTo }: WrittenPath): JsonObject => ({
  path,
  change,
  ...(linkTo === null ? {} : { link_to: linkTo }),
});

/** The changes of a run for programs. */
export const changesJson = (
  { job, changes }: RunChanges,
  { withDiff }: { readonly withDiff: boolean },
): JsonObject => ({
  run_id: job.id,
  status: job.status,
  changes: changes.map(withDiff ? toWireChange : withoutDiff),
});

/** What `kit apply` wrote, for programs. */
export const appliedJson = (applied: AppliedChanges): JsonObject => ({
  run_id: applied.job.id,
  repository: applied.topLevel,
  branch: applied.branch === null ? null : { ...applied.branch },
  paths: applied.paths.map(toWireWritten),
  changes: applied.changes.map(withoutDiff),
  missing_base_commits: [...applied.missingBases],
  ungated: [...applied.ungated],
});
