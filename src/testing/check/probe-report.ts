/** What loading one module did, as the process that loaded it saw it. */
export interface ProbeReport {
  readonly importMs: number;
  /** Why it could not be loaded; null = it was. */
  readonly error: { readonly message: string; readonly code: string | null } | null;
  /** `$$type` of the export `contribution`; null when there is none. */
  readonly tag: string | null;
  /** Names of the exports that look like a command: they have `run`. */
  readonly commands: readonly string[];
  /** What the module changed for everyone in the process, in words. */
  readonly changes: readonly string[];
  /** Network and processes that it started. */
  readonly started: readonly string[];
  /** Timers, servers and the like that were left open, by Node's names. */
  readonly open: readonly string[];
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The plugin's code runs in the process that reports: what arrives may be its own message. */
export function isProbeReport(value: unknown): value is ProbeReport {
  if (typeof value !== 'object' || value === null) return false;
  const { importMs, error, tag, commands, changes, started, open }: Readonly<Record<string, unknown>> = { ...value };
  const isError =
    error === null || (typeof error === 'object' && 'message' in error && typeof error.message === 'string');
  return (
    typeof importMs === 'number' &&
    isError &&
    (tag === null || typeof tag === 'string') &&
    [commands, changes, started, open].every(isTexts)
  );
}
