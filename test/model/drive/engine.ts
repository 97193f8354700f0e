// The engine as the model check meets it: two functions, and nothing of how they work.
import type { ErrorCode } from '../../../src/domain/error-registry.js';
import type {
  ApprovalPolicy,
  DecisionSignature,
  GateEvidence,
  GateOpening,
  GateRound,
  GateStatus,
  RecordedDecision,
  ReviewItem,
  ReviewState,
  RoleDirectory,
} from '../../../src/domain/gates.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';

export type Resolution =
  | {
      readonly kind: 'recorded';
      readonly item: ReviewItem;
      readonly gate: GateRound;
      readonly decision: RecordedDecision | null;
      readonly unchanged: boolean;
      readonly reopened: string | null;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly hint: string | null; readonly item: ReviewItem | null };

export interface ResolveRequest {
  readonly itemId: string;
  readonly identity: string;
  readonly assurance: 'authenticated' | 'asserted';
  readonly openDoor: boolean;
  readonly outcome: string;
  readonly comment: string;
  readonly roles: RoleDirectory;
  readonly newId: () => string;
  readonly sign: ((body: string) => DecisionSignature) | null;
}

export interface OpenRequest {
  readonly gateId: string;
  readonly agentId: string;
  readonly activation: string;
  readonly stepKey: string;
  readonly funnelId: string;
  readonly topologyId: string;
  readonly artifactRef: string;
  readonly sha256: string;
  readonly mediaType: string;
  readonly policy: ApprovalPolicy;
  readonly policyDigest: string;
  readonly evidence: GateEvidence;
  readonly parts: GateRound['parts'];
  readonly roles: RoleDirectory;
}

export declare const resolveItem: (state: ReviewState, request: ResolveRequest) => ReviewChange<Resolution>;
export declare const openRound: (
  state: ReviewState,
  opening: OpenRequest,
) => { readonly opening: GateOpening; readonly status: GateStatus } | { readonly failed: 'rework_exhausted' };
