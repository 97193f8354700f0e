import { ERROR_REGISTRY, type ErrorCode } from './error-registry.js';

/**
 * What a code may carry besides its message. `data` is shown under `--json` and over HTTP: never a
 * secret.
 */
export interface KitErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Shared by every copy of kit in a process, so that a plugin's own copy is recognised (never
 * `instanceof`).
 */
const BRAND = Symbol.for('kit.error');

/**
 * One refusal of a use case: a code of the closed registry, a sentence, and what to do next. Exit
 * code and HTTP status follow from the code. Problems of a user's YAML are `Diagnostic`s, not
 * errors.
 */
export class KitError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: KitErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KitError';
    this.code = code;
    this.hint = options.hint ?? ERROR_REGISTRY[code].hint;
    this.data = options.data ?? {};
  }

  /** Process exit code of this refusal (docs/design/decisions.md#exit-codes). */
  get exitCode(): 1 | 2 {
    return ERROR_REGISTRY[this.code].exit;
  }

  /** HTTP status of this refusal. */
  get httpStatus(): number {
    return ERROR_REGISTRY[this.code].http;
  }
}

/**
 * True for a KitError of any loaded copy of kit: tested by brand, so it holds across package
 * borders.
 */
export function isKitError(value: unknown): value is KitError {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}

/**
 * The system gave no more file descriptors, to this process (EMFILE) or to any (ENFILE). The path
 * that such an error names has nothing to do with it: KIT_TOO_MANY_FILES says so. Anything else is
 * handed back as it came.
 */
export function asTooManyFiles(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code !== 'EMFILE' && error.code !== 'ENFILE') return error;
  const whose = error.code === 'EMFILE' ? 'this process' : 'this machine';
  return new KitError('KIT_TOO_MANY_FILES', `${whose} may open no more files`, {
    cause: error,
    data: { system: error.code },
  });
}

/** Bytes that lie under a digest and have another one. */
export const damagedBytes = (sha256: string): KitError =>
  new KitError('KIT_STORE_CORRUPT', `blob ${sha256} is damaged: its bytes have another digest`, { data: { sha256 } });

/** Bytes that a row names and that are not there. */
export const goneBytes = (sha256: string, what: string): KitError =>
  new KitError('KIT_STORE_CORRUPT', `${what} is gone from the store`, {
    hint: 'Put the blobs back from the backup (kit docs back-up-and-restore), or submit the run again with --supersedes.',
    data: { sha256 },
  });

/**
 * True for an error of bytes, which `data.sha256` names, those of an artifact too; false for one of
 * a row or a page.
 */
export const isOfBytes = (error: unknown): error is KitError =>
  isKitError(error) &&
  (error.code === 'KIT_STORE_CORRUPT' || error.code === 'KIT_ARTIFACT_CORRUPT') &&
  error.data.sha256 !== undefined;

/** What anything that was thrown says. Of several failures at once the first stands for all. */
export function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  return first instanceof Error ? first.message : String(first);
}
