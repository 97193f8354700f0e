import { expect, it } from 'vitest';
import type { MovePlan } from '../../src/domain/ports/store-move.js';
import { movePlanText, moveReportText } from '../../src/text/moving-text.js';

const OPTIONS = { color: false, width: 100 };
const BETWEEN = { source: '/w/.kit/store.sqlite', target: 'postgres://kit@db/runs', leftLogins: [] };

it('counts the empty tables of a move, and lists the others', () => {
  const tables: MovePlan['tables'] = [
    { table: 'jobs', rows: 2, there: 0, toCopy: 2, bytes: 885 },
    { table: 'timers', rows: 0, there: 0, toCopy: 0, bytes: 0 },
    { table: 'memories', rows: 0, there: 0, toCopy: 0, bytes: 0 },
  ];
  const plan = movePlanText({ ...BETWEEN, state: 'new', tables }, OPTIONS);
  expect(plan).toContain('jobs');
  expect(plan).not.toMatch(/timers|memories/);
  expect(plan).toContain('\nand 2 empty tables\n');

  const moved = [
    { table: 'jobs', rows: 2, copied: 2, digest: 'a'.repeat(64) },
    { table: 'timers', rows: 0, copied: 0, digest: 'b'.repeat(64) },
  ];
  const report = moveReportText({ ...BETWEEN, tables: moved, sequences: {} }, OPTIONS);
  expect(report).toContain('\nand 1 empty table\n');
  expect(report).toContain('/w/.kit/store.sqlite is kept as it was: remove it, and blobs beside it');
});
