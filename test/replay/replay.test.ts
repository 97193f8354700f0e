import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../src/domain/faults.js';
import { ENGINE } from '../../src/domain/journal.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { decodeSnapshot } from '../../src/worker/snapshot.js';
import { createCrashRoom, type Row } from '../support/crash-case.js';
import { crashFacilities, scriptExecutor } from '../support/crash-facilities.js';
import { type RecordedJournal, restoreJournal } from '../support/crash-journal.js';
import { crashProvider } from '../support/crash-model.js';
import { pathsOf } from '../support/crash-plan.js';
import { replayRun } from '../support/replay-run.js';

const DIRECTORY = new URL(`../journals/${ENGINE}/`, import.meta.url);
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const names = readdirSync(DIRECTORY).map((file) => file.replace('.json', ''));

// Written by scripts/record-journals.mjs alone.
const read = (name: string): RecordedJournal =>
  JSON.parse(readFileSync(new URL(`${name}.json`, DIRECTORY), 'utf8')) as RecordedJournal;

describe('a replay with effects forbidden', () => {
  const room = createCrashRoom();
  afterAll(() => room.dispose());

  /** Opens what was recorded, replays it, and looks at what lies there before and after. */
  async function replay(journal: RecordedJournal) {
    const one = await room.open();
    restoreJournal(one, journal);
    const { repository, temp, state } = pathsOf(one.dir);
    const host = readWorkerHost();
    const stores = await openSqliteStores({
      stateDir: state,
      clock: createClock(),
      ids: createIds(host),
      faults: NO_FAULTS,
      log: SILENT,
      processStartOf,
    });
    const begun: string[] = [];
    const provider = crashProvider(async (_stepId, name) => void begun.push(name));
    const facilities = crashFacilities({
      workspaceRoot: repository,
      tempRoot: temp,
      provider,
      executor: scriptExecutor(),
      env: {},
    });
    try {
      const before = await one.sight();
      const job = await stores.jobs.get(journal.jobId);
      if (job === null) throw new Error('the run has no row');
      const outcome = await replayRun({ stores, snapshot: await decodeSnapshot(stores.blobs, job), facilities, job });
      return { outcome, before, after: await one.sight(), begun };
    } finally {
      await stores.close();
      await one.dispose();
    }
  }

  for (const name of names) {
    it(`of the recorded journal ${name} writes nothing, calls nobody and comes to the recorded end`, async () => {
      const journal = read(name);
      const { outcome, before, after, begun } = await replay(journal);

      expect(after.text).toEqual(before.text);
      expect(begun).toEqual([]);
      const report = journal.reference.report;
      if (journal.killedPid === null) expect(outcome).toEqual(report?.kind === 'ended' ? report.replayed : null);
      else expect(outcome).toMatchObject({ kind: 'unfinished' });
    });
  }

  it('tells another end when a recorded result is another', async () => {
    const { outcome } = await replay(
      changed((step) =>
        step.key === 'root' ? { ...step, outcome: '{"status":"ok","value":{"output":"forged"}}' } : step,
      ),
    );

    expect(outcome).toEqual({ kind: 'completed', output: 'forged' });
  });

  it('stops at the place where a result is missing, and makes none', async () => {
    const journal = changed((step) =>
      ['root', 'root/d0/t1'].includes(String(step.key)) ? { ...step, outcome: null, ended_at: null } : step,
    );
    const { outcome, before, after, begun } = await replay(journal);

    expect(outcome).toMatchObject({ kind: 'unfinished' });
    expect(after.text).toEqual(before.text);
    expect(begun).toEqual([]);
  });

  function changed(change: (step: Row) => Row): RecordedJournal {
    const journal = read('finished-parallel');
    return { ...journal, tables: { ...journal.tables, steps: (journal.tables.steps ?? []).map(change) } };
  }
});
