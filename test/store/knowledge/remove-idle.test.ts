import { expect, it } from 'vitest';
import { knowledgeSql } from '../../../src/store/knowledge/knowledge-sql.js';
import { idleShare } from '../../../src/store/knowledge/remove-idle.js';
import { runNow, SQLITE_DIALECT } from '../../../src/store/program.js';

const SQL = knowledgeSql(SQLITE_DIALECT);
const dayOf = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

it('reads the jobs once, however many indexes are old', () => {
  const old = Array.from({ length: 30 }, (_, n) => ({ digest: `i${n}`, made_at: dayOf(3 * n), used_at: dayOf(3 * n) }));
  const asked: { readonly sql: string; readonly params: object }[] = [];
  const all = (sql: string, params: object) => {
    asked.push({ sql, params });
    // A run of the sixth day, which may search the third of them.
    return sql === SQL.OLD_INDEXES ? old : [{ hour: '2026-01-07T04' }];
  };

  const idle = runNow({ all, get: () => ({ rows: 0, bytes: 0 }) }, idleShare(SQL, dayOf(365)));

  expect(idle.indexes).toBe(29);
  expect(asked).toEqual([
    { sql: SQL.OLD_INDEXES, params: { before: dayOf(365) } },
    { sql: SQL.HOURS, params: { from: '2025-12-31T11:00:00.000Z', until: '2026-03-29T13:00:00.000Z' } },
  ]);
});
