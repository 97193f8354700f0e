import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** How far the session of a worktree has come. */
export interface Session {
  readonly id: string;
  /** Steps that have come to their end. */
  readonly done: number;
}

/**
 * Where the session is kept: among git's own files of the worktree, so that it is not a change of
 * the work, and goes with it. null = the directory lies in no repository.
 */
function sessionFile(directory: string): string | null {
  const git = join(directory, '.git');
  if (existsSync(git)) {
    if (statSync(git).isDirectory()) return join(git, 'kit-rehearsal.json');
    const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
    return named === undefined ? null : join(resolve(directory, named), 'kit-rehearsal.json');
  }
  const above = dirname(directory);
  return above === directory ? null : sessionFile(above);
}

/** The session of this id; null = this worktree has none, or another. */
export function findSession(directory: string, id: string): Session | null {
  const file = sessionFile(directory);
  if (file === null || !existsSync(file)) return null;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Session;
  return kept.id === id ? kept : null;
}

export function keepSession(directory: string, session: Session): void {
  const file = sessionFile(directory);
  if (file !== null) writeFileSync(file, JSON.stringify(session));
}
