import type { AppliedChanges, RunChanges } from '../app/changes/changes-app.js';
import type { AgentChange, ChangedFile, SignedChange } from '../domain/changes.js';
import type { JsonObject } from '../domain/json.js';
import type { WrittenPath } from '../domain/ports/repository.js';

const toWireChange = (change: AgentChange, options: { readonly withDiff: boolean }): JsonObject => ({
  agent_id: change.agentId,
  activation: change.activation,
  state: change.state,
  reason: change.reason,
  base_commit: change.baseCommit,
  sha256: change.sha256,
  files: change.files.map(toWireFile),
  signed: change.signed === null ? null : toWireSigned(change.signed),
  ...(options.withDiff ? { diff: change.diff } : {}),
});

const toWireFile = (file: ChangedFile): JsonObject => ({
  path: file.path,
  old_path: file.oldPath,
  change: file.change,
  binary: file.isBinary,
  added: file.added,
  removed: file.removed,
});

const toWireSigned = (signed: SignedChange): JsonObject => ({
  gate_id: signed.gateId,
  round: signed.round,
  status: signed.status,
  by: [...signed.by],
  artifact_sha256: signed.artifactSha256,
  same_bytes: signed.isSame,
});

const toWireWritten = ({ path, change, linkTo }: WrittenPath): JsonObject => ({
  path,
  change,
  ...(linkTo === null ? {} : { link_to: linkTo }),
});

/** The changes of a run for programs. */
export const changesJson = ({ job, changes }: RunChanges, options: { readonly withDiff: boolean }): JsonObject => ({
  run_id: job.id,
  status: job.status,
  changes: changes.map((change) => toWireChange(change, options)),
});

/** What `kit apply` wrote, for programs. */
export const appliedJson = (applied: AppliedChanges): JsonObject => ({
  run_id: applied.job.id,
  repository: applied.topLevel,
  branch: applied.branch === null ? null : { ...applied.branch },
  paths: applied.paths.map(toWireWritten),
  changes: applied.changes.map((change) => toWireChange(change, { withDiff: false })),
  missing_base_commits: [...applied.missingBases],
  ungated: [...applied.ungated],
});
