import type Database from 'better-sqlite3';
import { fillByHand } from './fill-rows.js';

/**
 * Rows for a store with many gates, half of them open: each of a job of its own, with two tasks
 * and, of every tenth, a deadline.
 */
export interface ManyGates {
  readonly open: number;
  readonly decided: number;
}

/**
 * Statements that fill the tables; `numbers` is a FROM item that yields `i` from 1 to the number of
 * gates, in the words of the dialect.
 */
export function fillGates(
  { open, decided }: ManyGates,
  numbers: (upTo: number) => string,
  runs: ((jobId: string) => string) | null = null,
): readonly string[] {
  const from = numbers(open + decided);
  const id = "'job-' || i";
  const gate = "'job-' || i || ':writer'";
  const status = `CASE WHEN i % ${Math.round((open + decided) / decided)} = 0 THEN 'approved' ELSE 'pending' END`;
  const items = ['qa', 'ops'].map(
    (role) => `
INSERT INTO review_items (id, kind, job_id, topology_id, agent_id, step_key, gate_id, rule_index, role, scope, round, status, resolved_by, comment, reason,
  artifact_ref, options, free_text_allowed, details, stale, withdrawn, escalated, reopened, created_at)
SELECT 'mpa-job-' || i || ':writer-0-${role}', 'role_task', ${id}, 't', 'writer', 'root/gate', ${gate}, 0, '${role}', 'release', 0, ${status}, '', '', 'because',
  'c/j/writer', '[]', 0, 'null', 0, 0, 0, 0, '2026' FROM ${from}`,
  );
  return [
    `
INSERT INTO jobs (id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority, engine,
  needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
SELECT ${id}, 'deferred', 'queued', 't', '', '{}', 'cli', 'ada', 'asserted', 1, 0, 'model', 0, 1, '{"plugins":{},"adapters":{}}', '', 'auto', '[]', 1, 0, '[]', '2026'
FROM ${from}`,
    `
INSERT INTO gates (gate_id, round, job_id, topology_id, agent_id, activation, funnel_id, status, artifact_ref, sha256, media_type, policy, policy_digest, evidence,
  parts, escalated_to, opened_at, withdrawn)
SELECT ${gate}, 0, ${id}, 't', 'writer', 'root', 'f', ${status}, 'c/j/writer', '', 'text/plain',
  '{"rules":[{"scope":"release","roles":["qa","ops"],"quorum":"all","covers":null}],"excludeAuthor":true,"onRevision":"reset_all","minDistinctApprovers":2,"expiry":null}',
  '', '{"retries":0,"escalated":false,"failedLayers":[],"critique":null,"judge":null,"findings":[],"diffSha256":null}', '{}', '[]', '2026', 0 FROM ${from}`,
    ...items,
    `
INSERT INTO decisions (id, item_id, gate_id, job_id, round, rule_index, role, scope, identity, person, assurance, outcome, comment, at, sha256, policy_digest,
  registry_digest, stale)
SELECT 'decision-' || i, 'mpa-job-' || i || ':writer-0-qa', ${gate}, ${id}, 0, 0, 'qa', 'release', 'qa-1', 'qa-1', 'asserted', 'approve', '', '2026', '', '', '', 0
FROM ${from}`,
    `
INSERT INTO events (${runs === null ? '' : 'run, '}job_id, seq, event_id, type, timestamp, topology_id, payload, labels, prev_hash, hash)
SELECT ${runs === null ? '' : `${runs(id)}, `}${id}, 1, 'event-' || i, 'run.started', '2026', 't', '{}', '{}', '', '' FROM ${from}`,
    `INSERT INTO timers (due_at, job_id, key, kind) SELECT '2026-01-01', ${id}, ${gate}, 'gate.expiry' FROM ${from} WHERE i % 10 = 0`,
  ];
}

/** Fills a SQLite store; the connection knows the functions of its triggers. */
export function fillSqlite(db: Database.Database, many: ManyGates): void {
  const numbers = (upTo: number): string =>
    `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${upTo}) SELECT i FROM n)`;
  fillByHand(db);
  db.transaction(() => {
    for (const sql of fillGates(many, numbers, (id) => `(SELECT ord FROM jobs WHERE id = ${id})`)) db.exec(sql);
  })();
}

/** Mean time of a read, after one that warms up. */
export async function meanMs(times: number, read: () => Promise<unknown>): Promise<number> {
  await read();
  const startedMs = performance.now();
  for (let n = 0; n < times; n++) await read();
  return (performance.now() - startedMs) / times;
}
