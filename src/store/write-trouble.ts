import type { ErrorCode } from '../domain/error-registry.js';
import { isKitError } from '../domain/errors.js';

/** What keeps a store from being written by anybody, until somebody has fixed it. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  'KIT_STORE_FULL',
  'KIT_STORE_READ_ONLY',
  'KIT_STORE_GONE',
  'KIT_STORE_CORRUPT',
]);

/** What the last write of a process came to, as far as it says something of the store itself. */
export interface WriteTrouble {
  /** Null: the last write that was about it went through. */
  code(): ErrorCode | null;
  /** The same promise, which is looked at. */
  watch<T>(write: Promise<T>): Promise<T>;
  /**
   * The write went through. Of a store without room that says nothing: a small write often finds
   * a place still, and a run does not.
   */
  readonly onDone: () => void;
  readonly onFailed: (error: unknown) => void;
  /** There is room for a run. */
  readonly onRoom: () => void;
}

export function createWriteTrouble(): WriteTrouble {
  let found: ErrorCode | null = null;
  const onDone = (): void => {
    if (found !== 'KIT_STORE_FULL') found = null;
  };
  const onFailed = (error: unknown): void => {
    if (isKitError(error) && isLasting(error.code, error.cause)) found = error.code;
  };
  return {
    code: () => found,
    onDone,
    onFailed,
    onRoom: () => {
      found = null;
    },
    watch: (write) => {
      void write.then(onDone, onFailed);
      return write;
    },
  };
}

/** Without a cause KIT_STORE_UNAVAILABLE says something of a setting, not of the store. */
const isLasting = (code: ErrorCode, cause: unknown): boolean =>
  LASTING.has(code) || (code === 'KIT_STORE_UNAVAILABLE' && cause !== undefined);

/** True for what a probe of the room has to say; nothing else that it meets is about the room. */
export const isFull = (error: unknown): boolean => isKitError(error) && error.code === 'KIT_STORE_FULL';
