import type { MemorySettings } from '../memory-settings.js';

/** What a memory is about; it orders lists and says nothing about who may read. */
export const MEMORY_TYPES = ['semantic', 'profile', 'procedural', 'episodic', 'working'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/**
 * What became of one write: a first value, the same once more, a newer one, a fuller one, or one
 * that stands against what is known and is kept aside.
 */
export type MemoryOp = 'new' | 'reinforce' | 'update' | 'refine' | 'contradict';

/**
 * How an entry came about: out of a run, by a person, or by a person's decision about a
 * contradiction.
 */
export type MemoryOrigin = 'automatic' | 'person' | 'curator';

/** One thing that is remembered, under `subject` and `attribute`. */
export interface Memory {
  /** 32 lower-case hex characters. */
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly type: MemoryType;
  /** 0..1. */
  readonly confidence: number;
  readonly origin: MemoryOrigin;
  /** The submitter of the run, or the person who wrote or accepted it. */
  readonly owner: string;
  /** What it was told as its source; the agent of an automatic one. */
  readonly source: string;
  /**
   * Correlation id or conversation of the run; null where it has none, and for what people wrote.
   */
  readonly session: string | null;
  /** Run it came from; null for what people wrote. */
  readonly jobId: string | null;
  /** ISO 8601; since when it holds. */
  readonly validFrom: string;
  /** ISO 8601. */
  readonly reinforcedAt: string;
  readonly reinforceCount: number;
}

/**
 * Who reads, and how far. `user`: what belongs to this person. `all` and `both`: also what people
 * wrote and accepted. No scope reads an automatic entry of somebody else.
 */
export interface MemoryReader {
  readonly owner: string;
  readonly scope: MemorySettings['searchScope'];
}

/** An entry that shares words with a question, and which. */
export interface MemoryHit {
  readonly memory: Memory;
  /** 0..1: share of the rarity of the asked words that it holds. */
  readonly match: number;
}

/** What somebody wants remembered. */
export interface MemoryCandidate
  extends Pick<Memory, 'subject' | 'attribute' | 'value' | 'type' | 'confidence' | 'source'> {
  /** How it stands to what is known, by who wrote it; null = nobody said. */
  readonly relation: 'replaces' | 'refines' | null;
}

/**
 * What is to be written of a candidate; decided by `govern/memory`, carried out by the store in one
 * transaction.
 */
export interface MemoryDecision {
  readonly op: MemoryOp;
  /** Value and confidence of the entry afterwards; of a contradiction the ones that stay. */
  readonly value: string;
  readonly confidence: number;
  /** One sentence for the change log and the quarantine. */
  readonly reason: string;
}

/** The known entry with the key of a candidate (null: none), and the candidate. Pure. */
export type DecideMemory = (current: Memory | null, candidate: MemoryCandidate) => MemoryDecision;

/** Writes of one run, or of one person. */
export interface MemoryWrite {
  /** Automatic entries lie apart for each owner; what people write is one body of knowledge. */
  readonly origin: 'automatic' | 'person';
  readonly owner: string;
  readonly session: string | null;
  readonly jobId: string | null;
  /**
   * A second write of this id does nothing and answers what the first did: a run that goes on after
   * a crash writes once.
   */
  readonly writeId: string;
  readonly candidates: readonly MemoryCandidate[];
  readonly decide: DecideMemory;
}

export interface MemoryWritten {
  readonly op: MemoryOp;
  /** `<subject>/<attribute>`. */
  readonly key: string;
  /** Whether the value that is read has changed. */
  readonly changed: boolean;
  /** Set for a contradiction. */
  readonly quarantineId: string | null;
}

/** One line of the history of an entry. */
export interface MemoryChange {
  readonly op: MemoryOp;
  readonly before: string | null;
  readonly after: string;
  readonly reason: string;
  readonly decidedBy: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A candidate that stands against what is known. */
export interface QuarantinedMemory {
  /** 12 lower-case hex characters. */
  readonly id: string;
  readonly origin: 'automatic' | 'person';
  readonly owner: string;
  readonly candidate: MemoryCandidate;
  readonly currentValue: string;
  readonly reason: string;
  readonly status: 'pending' | 'accepted' | 'rejected';
  readonly createdAt: string;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
  readonly comment: string | null;
}

/** What a person decides about a contradiction. */
export interface ResolveMemory {
  /** Id or unique prefix. */
  readonly id: string;
  readonly accept: boolean;
  readonly by: string;
  readonly comment: string | null;
}

/**
 * Memory, in the database of the runs. Every read takes its reader: there is no way to read without
 * one.
 */
export interface MemoryStore {
  /**
   * Entries that hold some of `words` (as `memoryWords` makes them), best match first, at most
   * `limit`.
   */
  find(
    reader: MemoryReader,
    ask: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly MemoryHit[]>;
  /** Most certain first; own entries first where the scope is `both`. */
  list(
    reader: MemoryReader,
    ask: { readonly type: MemoryType | null; readonly limit: number },
  ): Promise<readonly Memory[]>;
  /**
   * Entries of one key with their history, oldest change first: one's own, and the one of people.
   */
  item(
    reader: MemoryReader,
    key: { readonly subject: string; readonly attribute: string },
  ): Promise<readonly { readonly memory: Memory; readonly history: readonly MemoryChange[] }[]>;
  /** All candidates in one transaction, in their order. */
  write(write: MemoryWrite): Promise<readonly MemoryWritten[]>;
  /** Newest first: of people everything, of runs what belongs to the reader. */
  quarantine(
    reader: MemoryReader,
    ask: { readonly status: QuarantinedMemory['status'] | null; readonly limit: number },
  ): Promise<readonly QuarantinedMemory[]>;
  /**
   * Decides a contradiction; accepted, its value becomes the entry's. Throws KIT_MEMORY_UNKNOWN for
   * what the reader cannot see, and for an ambiguous prefix; KIT_MEMORY_DECIDED when somebody was
   * faster.
   */
  resolve(reader: MemoryReader, decision: ResolveMemory): Promise<QuarantinedMemory>;
}
