/**
 * `memory` of the workspace with its defaults; `enabled: false` is no memory at all. Plain JSON.
 */
export interface MemorySettings {
  readonly enabled: boolean;
  /** 5 unless written. */
  readonly maxResults: number;
  /** 0..1; 0.15 unless written. */
  readonly similarityThreshold: number;
  /** `user` unless written. */
  readonly searchScope: 'user' | 'all' | 'both';
  /**
   * `reader.embedding`: whose embeddings say how near an entry is to a task; absent: hashed
   * n-grams, without a service. An extension of this project.
   */
  readonly embedding?: { readonly provider: string; readonly model: string };
  /** `model`: who chooses what is remembered; absent: the model of the first agent. */
  readonly model?: { readonly provider: string; readonly model: string };
  /** Characters of an output that is worth a memory; 100 unless written. */
  readonly minOutputLength: number;
}
