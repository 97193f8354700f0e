import type { ErrorCode } from '../error-registry.js';
import type { KitError } from '../errors.js';

/** What a PostgreSQL server says of itself and of the store in it; `kit doctor` judges it. */
export interface PostgresFacts {
  /** `18.1` */
  readonly serverVersion: string;
  /** Of kit's tables; null = there are none yet. */
  readonly schemaVersion: number | null;
  /** This user may make a schema in the database. */
  readonly canCreate: boolean;
  /** A standby, or a session that only reads. */
  readonly isReadOnly: boolean;
  readonly maxConnections: number;
  /** Kept back for administrators. */
  readonly reservedConnections: number;
  readonly usedConnections: number;
  /**
   * Milliseconds of a small transaction that is made durable, the median of some; null = it cannot
   * be measured: this user may not, or the server only reads.
   */
  readonly commitMs: number | null;
  /** The store's clock less this machine's, in the middle of the question. */
  readonly skewMs: number;
  /** Milliseconds of the question: the skew is known no better. */
  readonly askedMs: number;
  /** Scratch schemas that an earlier `kit doctor --crash` could not remove. */
  readonly scratch: readonly string[];
}

/** What of a store lies in the state directory. */
export interface SqliteFacts {
  readonly path: string;
  /** Null: there is no store yet. */
  readonly schemaVersion: number | null;
  readonly bytes: number;
  /** First damage that reading the file through found; null: none, or it was not read. */
  readonly damage: string | null;
  readonly isRead: boolean;
}

/** Whether a store takes writes, as this process sees it. */
export interface StoreWriting {
  /**
   * KIT_STORE_FULL, KIT_STORE_READ_ONLY, KIT_STORE_GONE, KIT_STORE_CORRUPT or
   * KIT_STORE_UNAVAILABLE, as the last write met it; null: the last one went through, or met
   * something that passes. A store without room is one until a probe has found some.
   */
  trouble(): ErrorCode | null;
  /**
   * What every write is refused with, since the store could be opened to be read alone. Absent:
   * writes are tried.
   */
  readonly refused?: KitError;
  /** Writes something that changes nothing, where there is room for a run. Throws as a write. */
  probe(): Promise<void>;
}
