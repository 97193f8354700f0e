import type { DecisionSignature, GateRound, RecordedDecision, RoleDirectory } from '../../domain/gates.js';
import type { EarlierSubmitter, Submitter } from '../../domain/job.js';
import type { LogEntry } from '../../domain/log-entry.js';

/** Raised when the shape or the rules change; `kit verify` refuses a format it does not know. */
export const PROOF_FORMAT = 1;

/** The name that a proof carries, so that no other JSON is taken for one. */
export const PROOF_KIND = 'kit-gate-proof';

/** One event of the run as the chain hashed it; `payload` is what was stored, redacted. */
export interface ProofEvent
  extends Pick<LogEntry, 'event_id' | 'timestamp' | 'run_id' | 'topology_id' | 'agent_id' | 'skill_id' | 'payload'> {
  readonly seq: number;
  readonly event_type: string;
  readonly step_key: string | null;
  readonly prev_hash: string;
  readonly hash: string;
}

/** The bytes that were decided about. */
export interface ProofArtifact {
  readonly sha256: string;
  readonly mediaType: string;
  /** `base64` for bytes that are not UTF-8 text. */
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
}

/**
 * A role registry as it was at the instant of some decision: the digest is what the decision
 * recorded.
 */
export type ProofRegistry = RoleDirectory;

/**
 * What `kit review export` writes: all that is needed to judge a gate anew, offline and without a
 * store. The file is the canonical JSON of this and one line feed; any other byte form is refused.
 */
export interface Proof {
  readonly kind: typeof PROOF_KIND;
  readonly format: number;
  readonly exportedAt: string;
  readonly gateId: string;
  readonly run: {
    readonly id: string;
    readonly topology: string;
    readonly correlationId: string | null;
    readonly submittedBy: Submitter;
    /** Absent: the run goes on from no other. */
    readonly earlier?: readonly EarlierSubmitter[];
  };
  /** Oldest first; all of them. The policy stands in each. */
  readonly rounds: readonly GateRound[];
  /** One per digest that a round names. */
  readonly artifacts: readonly ProofArtifact[];
  readonly registries: readonly ProofRegistry[];
  /** In the order in which they were recorded. */
  readonly decisions: readonly RecordedDecision[];
  /** The run's log from its first event to the last that concerns this gate, without a hole. */
  readonly events: readonly ProofEvent[];
  /** SHA-256 hex over the canonical JSON of all the rest but `signature`. */
  readonly digest: string;
  /** Ed25519 over `digest`; null: the exporter had no key. */
  readonly signature: DecisionSignature | null;
}

/** What judging a gate takes of a proof, or of the store itself. */
export type GateFacts = Pick<Proof, 'gateId' | 'run' | 'rounds' | 'decisions' | 'events'>;

/** A proof before it is sealed. */
export type ProofBody = Omit<Proof, 'digest' | 'signature'>;
