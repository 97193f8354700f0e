import type { GateEvidence } from '../../domain/gates.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { Activation } from '../activation-call.js';
import type { DraftArtifact, GateDraft } from './gate-draft.js';
import type { ReportedDecision } from './revise.js';

/** The visit with what both sides of the step need. */
export interface OpenVisit extends GateVisit {
  /** `<run>:<agent>`. */
  readonly gateId: string;
  /** Key of the gate step. */
  readonly key: string;
  readonly artifact: DraftArtifact;
}

/** What a gate step records. `advisory`: nobody could be asked, so nobody was. */
export type GateValue =
  | { readonly decision: 'approved'; readonly round: number }
  | { readonly decision: 'advisory' }
  | { readonly decision: 'changes-requested'; readonly round: number; readonly decisions: readonly ReportedDecision[] };

/** A draft at the gate. */
export interface GateVisit {
  readonly funnel: LinkedFunnel;
  readonly activation: Activation;
  /** How many drafts of this activation were at the gate before. */
  readonly gate: number;
  readonly draft: GateDraft;
  readonly evidence: Omit<GateEvidence, 'diffSha256'>;
  /** Number of the draft that would come next, for events. */
  readonly next: number;
}
