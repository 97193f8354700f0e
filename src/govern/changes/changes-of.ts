import type { AgentChange, SignedChange } from '../../domain/changes.js';
import type { LastSession } from '../../domain/fold-usage.js';
import type { GateRound, ReviewState } from '../../domain/gates.js';
import type { StepRow } from '../../domain/journal.js';
import { diffFiles } from '../../lib/diff-files.js';
import { sha256Hex } from '../../lib/sha256.js';
import { signedDiff } from '../approval/signed-diff.js';

/** What a session ends with that did something nobody was asked about. */
export const UNGOVERNED = 'executor.ungoverned';

/**
 * What the sessions of a run changed, with what people decided about it. `artifact` gives the text
 * of what was signed, by digest; null = its bytes are not to be had, and the digests in the gate
 * decide.
 */
export function changesOf(
  sessions: readonly LastSession[],
  of: { readonly state: ReviewState; readonly artifact: (sha256: string) => string | null },
): readonly AgentChange[] {
  return sessions.map(({ agentId, activation, diff, row }) => {
    const { outcome } = row;
    const reason = outcome.status === 'ok' ? null : outcome.reason;
    return {
      agentId,
      activation,
      diff,
      sha256: sha256Hex(diff),
      files: diffFiles(diff).map(({ newLines: _lines, ...file }) => file),
      state: reason === null ? 'whole' : reason === UNGOVERNED ? 'ungoverned' : 'partial',
      reason,
      baseCommit: baseOf(row),
      signed: signedOf(activation, { ...of, diff }),
    };
  });
}

function baseOf({ notes }: StepRow): string | null {
  const commit = notes.base_commit;
  return typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null;
}

function signedOf(
  activation: string,
  of: {
    readonly state: ReviewState;
    readonly artifact: (sha256: string) => string | null;
    readonly diff: string;
  },
): SignedChange | null {
  const gate = of.state.gates.findLast((one) => one.activation === activation);
  if (gate === undefined) return null;
  const text = of.artifact(gate.sha256);
  const isSame = gate.evidence.diffSha256 === sha256Hex(of.diff);
  return {
    gateId: gate.gateId,
    round: gate.round,
    status: statusOf(gate),
    by: approversOf(of.state, gate),
    artifactSha256: gate.sha256,
    isSame: isSame && (text === null || signedDiff(text, sha256Hex(of.diff)) !== null),
  };
}

function statusOf({ status, withdrawn }: GateRound): SignedChange['status'] {
  switch (status) {
    case 'approved':
    case 'rejected':
      return status;
    case 'pending':
    case 'changes-requested':
      return withdrawn ? 'withdrawn' : 'open';
  }
}

function approversOf({ decisions }: ReviewState, { gateId, round, sha256 }: GateRound): readonly string[] {
  const counting = decisions.filter(
    (one) =>
      one.gateId === gateId && one.round === round && one.outcome === 'approve' && !one.stale && one.sha256 === sha256,
  );
  return [...new Set(counting.map(({ person }) => person))];
}
