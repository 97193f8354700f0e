import type { AgentChange } from '../domain/changes.js';
import type { WireChange } from './schemas/change.js';

/** What one activation of a harness changed, as every door shows it. */
export const toWireChange = (change: AgentChange): WireChange => ({
  agent_id: change.agentId,
  activation: change.activation,
  state: change.state,
  reason: change.reason,
  base_commit: change.baseCommit,
  sha256: change.sha256,
  files: change.files.map((file) => ({
    path: file.path,
    old_path: file.oldPath,
    change: file.change,
    binary: file.isBinary,
    added: file.added,
    removed: file.removed,
  })),
  signed:
    change.signed === null
      ? null
      : {
          gate_id: change.signed.gateId,
          round: change.signed.round,
          status: change.signed.status,
          by: change.signed.by,
          artifact_sha256: change.signed.artifactSha256,
          same_bytes: change.signed.isSame,
        },
  diff: change.diff,
});
