import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach } from 'vitest';
import { type FaultPoints, NO_FAULTS } from '../../../src/domain/faults.js';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { type Connection, openConnection } from '../../../src/store/sqlite/connection.js';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.js';

/** A file with one table for each test of a file, and what looks at it. */
export interface QueuedFile {
  readonly path: () => string;
  readonly writer: () => Connection;
  /** Another connection. */
  readonly other: () => Database.Database;
  /** How many commits the queues of this test have made. */
  readonly commits: () => number;
  readonly queueWith: (over?: { readonly pacing?: Partial<Pacing>; readonly faults?: FaultPoints }) => WriteQueue;
  readonly add: (queue: WriteQueue, v: string) => Promise<string>;
  /** What the other connection sees. */
  readonly stored: () => unknown[];
}

export const INSERT = 'INSERT INTO t (v) VALUES (@v)';

export function queuedFile(): QueuedFile {
  let directory: string;
  let path: string;
  let writer: Connection;
  let other: Database.Database;
  let commits: number;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kit-queue-'));
    path = join(directory, 'q.sqlite');
    writer = await openConnection({ path, mode: 'write', pacing: realPacing });
    writer.sql.exec('CREATE TABLE t (v TEXT NOT NULL UNIQUE) STRICT');
    other = new Database(path, { timeout: 0 });
    commits = 0;
  });
  afterEach(async () => {
    other.close();
    writer.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    path: () => path,
    writer: () => writer,
    other: () => other,
    commits: () => commits,
    queueWith: (over = {}) =>
      new WriteQueue({
        sql: writer.sql,
        faults: over.faults ?? NO_FAULTS,
        pacing: { ...realPacing, ...over.pacing },
        assertThere: () => {},
        onCommit: () => (commits += 1),
      }),
    add: (queue, v) =>
      queue.run(['event.append'], (sql) => {
        sql.run(INSERT, { v });
        return v;
      }),
    stored: () => other.prepare('SELECT v FROM t ORDER BY rowid').pluck().all(),
  };
}
