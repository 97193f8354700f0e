/** Statements about heartbeat rows, the same text in both dialects; named parameters. */

export const BEAT = `
INSERT INTO fleet_members (id, kind, hostname, pid, version, engine, job_class, concurrency, active, offers, started_at, beat_at)
VALUES (@id, @kind, @hostname, @pid, @version, @engine, @jobClass, @concurrency, @active, @offers, @startedAt, @now)
ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, hostname = excluded.hostname, pid = excluded.pid, version = excluded.version,
  engine = excluded.engine, job_class = excluded.job_class, concurrency = excluded.concurrency, active = excluded.active,
  offers = excluded.offers, started_at = excluded.started_at, beat_at = excluded.beat_at`;

export const LEAVE = 'DELETE FROM fleet_members WHERE id = @id';

/** Those heard of last: a list that is full is one of the living. */
export const LIST_FLEET = 'SELECT * FROM fleet_members ORDER BY beat_at DESC LIMIT @limit';
