import type { ErrorCode } from '../domain/error-registry.js';
import { isKitError } from '../domain/errors.js';

/** What keeps a store from being written by anybody, until somebody has fixed it. */
const LASTING: ReadonlySet<ErrorCode> = new Set(['KIT_STORE_FULL', 'KIT_STORE_READ_ONLY', 'KIT_STORE_GONE']);

/** What the last write of a process came to, as far as it says something of the store itself. */
export interface WriteTrouble {
  /** Null: the last write that was about it went through. */
  code(): ErrorCode | null;
  /** The same promise, which is looked at. */
  watch<T>(write: Promise<T>): Promise<T>;
  /** The write went through. */
  readonly onDone: () => void;
  readonly onFailed: (error: unknown) => void;
}

export function createWriteTrouble(): WriteTrouble {
  let found: ErrorCode | null = null;
  const onDone = (): void => {
    found = null;
  };
  const onFailed = (error: unknown): void => {
    if (isKitError(error) && LASTING.has(error.code)) found = error.code;
  };
  return {
    code: () => found,
    onDone,
    onFailed,
    watch: (write) => {
      void write.then(onDone, onFailed);
      return write;
    },
  };
}
