import type { ArtifactStore } from '../../domain/ports/artifacts.js';
import type { KnowledgeStore } from '../../domain/ports/knowledge.js';
import type { MemoryStore } from '../../domain/ports/memory.js';
import type { ReviewStore } from '../../domain/ports/reviews.js';

/** The stores as one run sees them. */
export interface RunStores {
  /** What people decided so far about this run. */
  readonly reviews: Pick<ReviewStore, 'state'>;
  readonly artifacts: Pick<ArtifactStore, 'put' | 'read'>;
  /**
   * What is remembered, for the submitter of the run alone; absent where the store keeps no memory.
   */
  readonly memory?: RunMemory;
  /** What its knowledge bases are searched with; absent where the store keeps none. */
  readonly knowledge?: Pick<KnowledgeStore, 'find'>;
  /** Bytes of an attachment by digest. */
  readonly blob: (sha256: string) => Promise<Uint8Array | null>;
}

/** Memory as a run sees it; `stepKey` is the key of the step that asks. */
export interface RunMemory {
  /**
   * Identity of the submitter: what the run remembers belongs to it, and what belongs to others is
   * not read.
   */
  readonly owner: string;
  find(...asked: [...Parameters<MemoryStore['find']>, stepKey: string]): ReturnType<MemoryStore['find']>;
  write(...asked: [...Parameters<MemoryStore['write']>, stepKey: string]): ReturnType<MemoryStore['write']>;
}
