import type Database from 'better-sqlite3';

/**
 * Lets this connection insert into `events` and `steps` of a SQLite store, which are views, as into
 * tables: for tests and benches that fill a store by hand. The rows lie as kit writes them.
 */
export function fillByHand(db: Database.Database): void {
  db.exec(`
CREATE TEMP TRIGGER fill_events INSTEAD OF INSERT ON main.events BEGIN
  INSERT INTO event_rows (pos, run, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, hash)
  VALUES (NEW.pos, coalesce(NEW.run, (SELECT ord FROM jobs WHERE id = NEW.job_id), 0), NEW.seq,
    CASE length(NEW.event_id) WHEN 36 THEN unhex(NEW.event_id, '-') ELSE NEW.event_id END, NEW.type, NEW.timestamp, NEW.topology_id, NEW.agent_id,
    NEW.skill_id, NEW.step_key, NEW.payload, NEW.labels, NEW.correlation_id, CASE length(NEW.hash) WHEN 64 THEN unhex(NEW.hash) ELSE NEW.hash END);
END;
CREATE TEMP TRIGGER fill_steps INSTEAD OF INSERT ON main.steps BEGIN
  INSERT INTO step_rows (ord, run, key, kind, identity, effects, on_in_doubt, attempt, step_id, outcome, outcome_sha256, notes, usage, units, agent_id,
    started_at, ended_at, pruned_at)
  VALUES (NEW.ord, coalesce(NEW.run, (SELECT ord FROM jobs WHERE id = NEW.job_id)), NEW.key, NEW.kind,
    CASE length(NEW.identity) WHEN 64 THEN unhex(NEW.identity) ELSE NEW.identity END, NEW.effects, NEW.on_in_doubt, NEW.attempt,
    CASE length(NEW.step_id) WHEN 32 THEN unhex(NEW.step_id) ELSE NEW.step_id END, NEW.outcome, NEW.outcome_sha256, NEW.notes, NEW.usage, NEW.units,
    NEW.agent_id, NEW.started_at, NEW.ended_at, NEW.pruned_at);
END;`);
}
