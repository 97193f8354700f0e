/** One file of a unified diff. */
export interface ChangedFile {
  /** New path; of a deleted file the old one. Relative to the top of the repository. */
  readonly path: string;
  /** Path before a rename; null when it is the same, or the file is new. */
  readonly oldPath: string | null;
  readonly change: 'added' | 'deleted' | 'renamed' | 'changed';
  /** Bytes that no line tells: `added` and `removed` are 0 then. */
  readonly isBinary: boolean;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/** What one activation of a harness agent changed: the result of its last session. */
export interface AgentChange {
  readonly agentId: string;
  /** Journal key of the activation. */
  readonly activation: string;
  /** Unified diff against `baseCommit`; '' = it changed nothing. */
  readonly diff: string;
  /** SHA-256 hex of `diff`. */
  readonly sha256: string;
  readonly files: readonly ChangedFile[];
  /**
   * `partial`: the session did not come to its end, for `reason`. `ungoverned`: it did what nobody
   * was asked about.
   */
  readonly state: 'whole' | 'partial' | 'ungoverned';
  readonly reason: string | null;
  /** Commit that the session began with; null = the journal does not say. */
  readonly baseCommit: string | null;
  /** The newest round of the gate that stands before this change; null = nobody had to sign. */
  readonly signed: SignedChange | null;
}

/** What people decided about a change. */
export interface SignedChange {
  readonly gateId: string;
  /** From 0. */
  readonly round: number;
  /** As the gate stands: `withdrawn` = it can be decided no more and nobody approved. */
  readonly status: 'approved' | 'rejected' | 'open' | 'withdrawn';
  /** People whose approvals count. */
  readonly by: readonly string[];
  /** SHA-256 hex of the artifact that they decided about. */
  readonly artifactSha256: string;
  /** True when the artifact and its digests hold exactly the bytes of the change. */
  readonly isSame: boolean;
}
