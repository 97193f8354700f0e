import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/store/migrations.js';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { SQLITE_MIGRATIONS } from '../../../src/store/sqlite/migrations/index.js';
import { packedDigest, packedId } from '../../../src/store/sqlite/row-values.js';
import { CREATE_META } from '../../../src/store/sqlite/sql/meta.js';

const UUID = 'c8e117ee-3dd8-4144-93bb-a13595a58b76';
const DIGEST = '0123456789abcdef'.repeat(4);

describe('rows of a SQLite store of before migration 20', () => {
  let db: Database.Database;
  beforeEach(() => {
    db = new Database(':memory:');
    addFunctions(db, 'write');
    db.exec(CREATE_META);
    for (const { number } of MIGRATIONS) if (number < 20) db.exec(SQLITE_MIGRATIONS[number]);
    db.exec(`
      INSERT INTO jobs (ord, id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority,
        engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
      VALUES (7, 'a00000000000', 'running', 'pending', 't', '', '{}', 'cli', 'a', 'asserted', 1, 0, 'model', 0, 1, '{}', '', 'auto', '[]', 1, 0, '[]', '2026')`);
  });
  afterEach(() => {
    db.close();
  });

  const migrate = (): void => {
    db.exec(SQLITE_MIGRATIONS[20]);
  };
  const all = (sql: string): unknown[] => db.prepare(sql).all();

  it.each([
    ['what kit wrote', UUID, DIGEST],
    ['a digest that somebody has damaged', UUID, DIGEST.replace('a', 'g')],
    ['a digest in capitals', UUID, DIGEST.toUpperCase()],
    ['half a digest', UUID, DIGEST.slice(0, 31)],
    ['no digest at all', UUID, 'x'],
    ['an id in capitals', UUID.toUpperCase(), DIGEST],
    ['an id whose dashes lie elsewhere', `${UUID.slice(1)}a`, DIGEST],
    ['an id without dashes', UUID.replaceAll('-', ''), DIGEST],
  ])('are read as they were: %s', (_, id, digest) => {
    const event = db.prepare(`
      INSERT INTO events (run, job_id, seq, event_id, type, timestamp, topology_id, payload, labels, prev_hash, hash)
      VALUES (?, ?, ?, ?, 'run.started', '2026', 't', '{}', '{"x":"y"}', ?, ?)`);
    event.run(7, 'a00000000000', 1, id, '', digest);
    event.run(7, 'a00000000000', 2, 'e-2', digest, DIGEST);
    event.run(0, '', 1, 'e-3', '', DIGEST);
    // Of a run that a store of before migration 4 has lost.
    event.run(0, 'gone', 2, 'e-4', DIGEST, 'h');
    db.prepare(`
      INSERT INTO steps (run, job_id, key, kind, identity, effects, on_in_doubt, attempt, step_id, notes, units, started_at)
      VALUES (7, 'a00000000000', 'root', 'activation', ?, 'none', 'repeat', 1, ?, '{}', 0, '2026')`).run(
      digest,
      DIGEST.slice(32),
    );
    const before = ['events', 'steps'].map((table) => all(`SELECT * FROM ${table}`));

    migrate();

    expect(['events', 'steps'].map((table) => all(`SELECT * FROM ${table}`))).toEqual(before);
    const lies = all('SELECT event_id, hash FROM event_rows WHERE run = 7 AND seq = 1');
    expect(lies).toEqual([{ event_id: packedId(id), hash: packedDigest(digest) }]);
  });

  it('lie as bytes where they are what kit writes, and as text otherwise', () => {
    expect([packedId(UUID), packedDigest(DIGEST)].map((one) => one.length)).toEqual([16, 32]);
    for (const text of ['', 'x', DIGEST.slice(1), DIGEST.toUpperCase(), UUID]) expect(packedDigest(text)).toBe(text);
    for (const text of ['', 'e-1', UUID.toUpperCase(), UUID.replaceAll('-', '')]) expect(packedId(text)).toBe(text);
  });

  it('tell a broken chain after the row before is gone', () => {
    migrate();
    const event = db.prepare(`
      INSERT INTO event_rows (run, seq, event_id, type, timestamp, topology_id, payload, labels, hash)
      VALUES (7, ?, ?, 'run.started', '2026', 't', '{}', '{}', ?)`);
    for (const seq of [1, 2, 3]) event.run(seq, `e-${seq}`, packedDigest(String(seq).repeat(64)));
    const chain = () => db.prepare('SELECT prev_hash FROM events ORDER BY seq').pluck().all();
    expect(chain()).toEqual(['', '1'.repeat(64), '2'.repeat(64)]);

    db.exec('DROP TRIGGER events_no_delete; DELETE FROM event_rows WHERE seq = 2');

    expect(chain()).toEqual(['', '']);
  });
});
