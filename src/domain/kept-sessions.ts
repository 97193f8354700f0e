import type { StepRow } from './journal.js';

/** A session of a coding harness that people hold up, and where it can go on. */
export interface KeptSession {
  /** Key of the step that launched it. */
  readonly key: string;
  readonly agentId: string | null;
  readonly worktree: string;
  /** Id of the directory in which the worktree lies -> `host:directory`. */
  readonly home: Readonly<Record<string, string>>;
}

const LAUNCH = /^(.*)(\/d\d+\/)(?:x|s(\d+))$/;

/**
 * Sessions of a parked run that go on in their worktree once people have decided: the last launch
 * of each draft that has put itself down, or died, while its activation is not over. One whose
 * answer waits at a gate has come to its end: whoever corrects it may begin anew.
 */
export function keptSessions(rows: readonly StepRow[]): readonly KeptSession[] {
  const ended = new Set(rows.flatMap((row) => (row.outcome === null ? [] : [row.key])));
  const last = new Map<string, { readonly number: number; readonly row: StepRow }>();
  for (const row of rows) {
    const [, activation, draft = '', number = '0'] = LAUNCH.exec(row.key) ?? [];
    if (activation === undefined || ended.has(activation)) continue;
    const known = last.get(activation + draft);
    if (known === undefined || known.number <= Number(number))
      last.set(activation + draft, { number: Number(number), row });
  }
  return [...last.values()].flatMap(({ row }) => (isHeldUp(row) ? sessionOf(row) : []));
}

function isHeldUp({ outcome }: StepRow): boolean {
  if (outcome === null) return true;
  if (outcome.status === 'failed') return outcome.reason === 'in_doubt';
  const { value } = outcome;
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return value.kind === 'asked' || value.kind === 'waits';
}

function sessionOf({ key, agentId, notes }: StepRow): readonly KeptSession[] {
  const { worktree, worktrees, worktrees_at: at } = notes;
  if (typeof worktree !== 'string' || typeof worktrees !== 'string' || typeof at !== 'string') return [];
  return [{ key, agentId, worktree, home: { [worktrees]: at } }];
}
