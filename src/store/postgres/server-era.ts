import { SERVER_ERA } from './sql/session.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * What lives as long as the memory of a server: its start, and the processes that serve no
 * database. After a crash of one process all of them are new, after a restart or a failover the
 * start is another one as well.
 */
export interface ServerEra {
  readonly started: string;
  readonly processes: readonly number[];
  /** The process that serves this connection, and its start. */
  readonly pid: number;
  readonly since: string | null;
}

export async function readEra(sql: SqlRunner): Promise<ServerEra> {
  const era = await sql.get<ServerEra>(SERVER_ERA);
  if (era === undefined) throw new Error('the server told nothing of itself');
  return era;
}

/**
 * Whether no memory was lost between the two looks. One process that lives on is enough, since a
 * crash leaves none: some of them come and go while all is well. False where the server shows none.
 */
export const isSameEra = (before: ServerEra, now: ServerEra): boolean =>
  before.started === now.started && before.processes.some((pid) => now.processes.includes(pid));
