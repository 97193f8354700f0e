import type { Diagnostic, SourceFile } from '../../domain/diagnostic.js';

/** Kinds that older runtimes had, and what does their work now (interface, Versioning 2). */
const REMOVED_KINDS: Readonly<Record<string, string>> = {
  StageGraph:
    'the application sequences runs and ties them together with `correlation_id`, `labels` and `supersedes`; a `funnel` on an agent gates its output',
  Pipeline: 'the application sequences runs and ties them together with `correlation_id`, `labels` and `supersedes`',
  Saga: 'the application sequences runs, compensating ones included',
  NotificationChannel: 'follow `events` with a webhook sink, or read the event log',
  Channel: 'follow `events` with a webhook sink, or read the event log',
};

/** Folders that held them: nothing else looks there. */
export const REMOVED_FOLDERS: readonly string[] = ['pipelines', 'stages', 'stage-graphs', 'channels', 'notifications'];

/** What replaces a kind, or null when it never existed. */
export const replacementOf = (kind: string): string | null =>
  Object.hasOwn(REMOVED_KINDS, kind) ? (REMOVED_KINDS[kind] ?? null) : null;

const KIND_LINE = /^[ \t]*"?kind"?[ \t]*:[ \t]*["']?([A-Za-z]+)/m;

/**
 * Reports a file of a folder that is no longer read, when it holds a removed kind; other files
 * there are the user's own.
 */
export function removedFile(source: SourceFile): Diagnostic | null {
  const match = KIND_LINE.exec(source.text);
  const kind = match?.[1] ?? '';
  const help = replacementOf(kind);
  if (match === null || help === null) return null;
  const start = match.index + match[0].lastIndexOf(kind);
  return {
    code: 'workspace.removed-kind',
    severity: 'error',
    message: `the kind \`${kind}\` was removed`,
    path: source.path,
    pointer: '/kind',
    span: { path: source.path, start, end: start + kind.length },
    help,
  };
}
