import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ENGINE } from '../../src/domain/journal.js';
import { createCrashRoom, type Ended } from '../support/crash-case.js';
import { type CrashedRun, changedRows, checkRun } from '../support/crash-check.js';
import { JOURNALS, type RecordedJournal, restoreJournal } from '../support/crash-journal.js';
import { type StoreTables, TABLES } from '../support/store-dump.js';

const DIRECTORY = new URL(`./${ENGINE}/`, import.meta.url);
const NONE: ReadonlySet<string> = new Set();

// Written by scripts/record-journals.mjs alone.
const read = (file: string): RecordedJournal => JSON.parse(readFileSync(new URL(file, DIRECTORY), 'utf8')) as RecordedJournal;

describe('a recorded journal', () => {
  const room = createCrashRoom();
  afterAll(() => room.dispose());

  it('is there for every state that a resume must understand', () => {
    expect(readdirSync(DIRECTORY).sort()).toEqual(JOURNALS.map((plan) => `${plan.name}.json`).sort());
  });

  for (const { name, death } of JOURNALS) {
    it(`${death === null ? 'replays, and is left alone,' : 'resumes'} on this build: ${name}`, async () => {
      const journal = read(`${name}.json`);
      const one = await room.open();
      restoreJournal(one, journal);
      const recorded = (await one.sight());
      const last = await one.start({ entry: 'resume', scenario: journal.scenario, jobId: journal.jobId }).ended;

      const kills = journal.killedPid === null ? [] : [{ pid: journal.killedPid, left: recorded }];
      const verdict = checkRun({ kills, last, final: (await one.sight()) }, referenceOf(journal));
      expect(verdict.violations).toEqual([]);
      expect(last.report).toMatchObject({ claimed: death !== null });
      if (death !== null) return;
      for (const table of ['jobs', 'steps', 'events'] as const) {
        expect(changedRows(recorded[table], (await one.sight())[table])).toEqual([]);
        expect((await one.sight())[table]).toHaveLength(recorded[table].length);
      }
    }, 60_000);
  }

  it('tells what was lost when the worktree of a session in doubt is gone', async () => {
    const journal = read('harness-in-doubt.json');
    const one = await room.open();
    restoreJournal(one, journal);
    await one.start({ entry: 'resume', scenario: journal.scenario, jobId: journal.jobId }).ended;

    const started = (await one.sight()).events.filter((event) => event.type === 'executor.started').map((event) => JSON.parse(String(event.payload)));
    expect(started).toHaveLength(2);
    expect(started[1]).toMatchObject({ resumed: false, lost: expect.stringContaining('kit-worktree-') });
  }, 60_000);

  it('is not accepted when a step was recorded for another call', async () => {
    const journal = read('child-half-done.json');
    const steps = (journal.tables.steps ?? []).map((step) => (step.key === 'root/d0/t0' ? { ...step, identity: '0'.repeat(64) } : step));
    const one = await room.open();
    restoreJournal(one, { ...journal, tables: { ...journal.tables, steps } });
    const last = await one.start({ entry: 'resume', scenario: journal.scenario, jobId: journal.jobId }).ended;

    expect(last.code === 0 ? last.report : last.stderr).toMatchObject({ status: 'stopped', reason: 'journal_diverged' });
  }, 60_000);
});

function referenceOf(journal: RecordedJournal): CrashedRun {
  const { report, steps, events, effects, decisions = [] } = journal.reference;
  // One entry for each table.
  const text = { ...Object.fromEntries(TABLES.map((table) => [table, []])), decisions } as unknown as StoreTables;
  const last: Ended = { pid: 0, code: 0, signal: null, stderr: '', report };
  const final = { text, jobs: [], steps, events, effects, ackedEvents: NONE, ackedEnds: NONE, worktrees: [] };
  return { kills: [], last, final };
}
