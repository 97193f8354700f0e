import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { startBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { goTo, visits } from './visit.js';

/**
 * `KIT_TEST_SCROLL=10000`: so many runs, and one run of five times as many events, are scrolled
 * from end to end. The frames are figures; only the heap is held to its bound.
 */
const RUNS = Number(process.env.KIT_TEST_SCROLL ?? 0);
const EVENTS = 5 * RUNS;
const MB = 1024 * 1024;

/** Copies of one run, as its row stands. */
function copyRuns(database: Database.Database, id: string): void {
  const columns = (database.pragma('table_info(jobs)') as { name: string }[]).map(({ name }) => name);
  const values = columns.map((name) =>
    name === 'id' ? "printf('%012x', n)" : name === 'ord' ? '(SELECT max(ord) FROM jobs) + n' : name,
  );
  database
    .prepare(
      `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
       INSERT INTO jobs (${columns.join(', ')}) SELECT ${values.join(', ')} FROM jobs, c WHERE id = ?`,
    )
    .run(RUNS, id);
}

/** The events of a run again and again behind its last, with the payloads that it wrote. */
function growLog(database: Database.Database, id: string): void {
  const { last } = database.prepare('SELECT max(seq) AS last FROM events WHERE job_id = ?').get(id) as {
    readonly last: number;
  };
  const columns = (database.pragma('table_info(events)') as { name: string }[]).map(({ name }) => name);
  const values = columns.map((name) => {
    if (name === 'seq') return `seq + n * ${last}`;
    if (name === 'pos') return `(SELECT max(pos) FROM events) + seq + n * ${last}`;
    return name === 'event_id' ? "event_id || '-' || n" : name;
  });
  database
    .prepare(
      `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
       INSERT INTO events (${columns.join(', ')}) SELECT ${values.join(', ')} FROM events, c WHERE job_id = ? ORDER BY n, seq`,
    )
    .run(Math.ceil(EVENTS / last), id);
}

/** Frames of a whole scroll, ms, sorted. */
async function scroll(page: Page, box: string): Promise<readonly number[]> {
  return page.evaluate(`new Promise((done) => {
    const box = document.querySelector(${JSON.stringify(box)});
    const frames = [];
    let last = performance.now();
    let still = 0;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      const before = box.scrollTop;
      box.scrollTop += 1500;
      still = box.scrollTop === before ? still + 1 : 0;
      if (still > 120 || frames.length > 3000) done(frames.slice(1).sort((a, b) => a - b));
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / MB;
}

const p = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);

async function filled(served: ServedConsole): Promise<string> {
  const { id } = await served.ask<{ readonly id: string }>('dana', '/run/plain', { input: 'a run among many' });
  await served.until(async () =>
    expect(await served.ask('dana', `/jobs/${id}`)).toMatchObject({ status: 'completed' }),
  );
  const database = new Database(join(served.dir, '.kit', 'store.sqlite'));
  addFunctions(database, 'write');
  try {
    growLog(database, id);
    copyRuns(database, id);
  } finally {
    database.close();
  }
  return id;
}

it.skipIf(RUNS === 0)(
  'runs and a long log scroll, and hold no more than what is seen',
  { timeout: 600_000 },
  async () => {
    const [served, browser] = await Promise.all([serveConsole(openWorkspace()), startBrowser()]);
    try {
      const run = await filled(served);
      const { page, faults } = await visits(browser, served).signedIn('dana');
      const devtools = await page.context().newCDPSession(page);
      let from = performance.now();
      await goTo(page, '/runs');
      await page.locator('.run-row').first().waitFor();
      console.log(`first rows of ${RUNS} runs: ${(performance.now() - from).toFixed(0)} ms`);
      const runs = await scroll(page, '.scroll');
      const runsHeap = await heapMb(devtools);
      const rows =
        Number(await page.evaluate('document.querySelector(".scroll > div").style.height.replace("px", "")')) / 56;
      expect(rows).toBeGreaterThan(RUNS);
      console.log(
        `${RUNS} runs: frames p50 ${p(runs, 0.5)}, p95 ${p(runs, 0.95)}, max ${p(runs, 1)} ms of ${runs.length}; heap ${runsHeap.toFixed(1)} MB`,
      );

      await goTo(page, `/runs/${run}`);
      from = performance.now();
      await page.locator('summary', { hasText: /^Log$/ }).click();
      await served.until(async () =>
        expect(
          Number(await page.evaluate('document.querySelector(".log > div").style.height.replace("px", "")')) / 22,
        ).toBeGreaterThanOrEqual(EVENTS),
      );
      console.log(`log of ${EVENTS} events there: ${(performance.now() - from).toFixed(0)} ms`);
      const events = await scroll(page, '.log');
      const logHeap = await heapMb(devtools);
      console.log(
        `${EVENTS} events: frames p50 ${p(events, 0.5)}, p95 ${p(events, 0.95)}, max ${p(events, 1)} ms of ${events.length}; heap ${logHeap.toFixed(1)} MB`,
      );
      expect(runsHeap).toBeLessThanOrEqual(80);
      expect(logHeap).toBeLessThanOrEqual(150);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await served.close();
    }
  },
);
