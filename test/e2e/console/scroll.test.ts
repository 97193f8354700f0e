import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { KEYS, type ServedConsole, serveConsole } from './served-console.js';
import { goTo, visits } from './visit.js';

/**
 * `KIT_TEST_SCROLL=10000`: so many runs, and one run that makes five times as many events, or
 * `KIT_TEST_SCROLL_EVENTS`, are scrolled from end to end. The frames are figures; only the heap is
 * held to its bound. Build nothing meanwhile: the server loads its parts when they are asked for.
 */
const RUNS = Number(process.env.KIT_TEST_SCROLL ?? 0);
const EVENTS = Number(process.env.KIT_TEST_SCROLL_EVENTS ?? 5 * RUNS);
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

/** A leader that gives its child so many parts in each of so many turns. */
const PARTS = 200;
/** Of one part: its agent begins, asks its model, and is done. */
const EVENTS_OF_PART = 3;
const TURNS = Math.ceil(EVENTS / PARTS / EVENTS_OF_PART);

const talkative = (): string => {
  const script = Array.from({ length: TURNS }, (_, turn) => ({
    tool_calls: Array.from({ length: PARTS }, (_, n) => ({
      name: 'delegate_to_helper',
      input: { task: `Part ${n} of turn ${turn}.` },
    })),
  }));
  return JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name: 'talkative', version: '1.0.0', description: 'Very many parts.' },
    agents: {
      root: {
        id: 'lead',
        role: 'root',
        model: { provider: 'mock', name: 'm1', options: { script } },
        children: [{ id: 'helper', role: 'worker', model: { provider: 'mock', name: 'm1' } }],
      },
    },
  });
};

const workspace = (): Record<string, string> => {
  const files = openWorkspace();
  const limits = `governance: { provider: mock, limits: { max_steps_per_run: ${10 * EVENTS} } }\n`;
  return {
    ...files,
    'workspace.yaml': `${(files['workspace.yaml'] ?? '').replace('server:\n', 'server:\n  jobs: { timeout_seconds: 3600 }\n')}audit: { level: detailed }\n${limits}`,
    'topologies/talkative.yaml': talkative(),
  };
};

const LIMITS = {
  KIT_MAX_TOOLS: String(PARTS),
  KIT_MAX_TOOL_TURNS: String(TURNS + 1),
  KIT_MAX_DELEGATIONS_PER_CHILD: String(TURNS * PARTS),
  KIT_MAX_PER_TOOL: String(PARTS),
};

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

/** One run of very many events, and very many runs. */
async function filled(served: ServedConsole): Promise<string> {
  const run = async (topology: string): Promise<string> => {
    const { id } = await served.ask<{ readonly id: string }>('dana', `/run/${topology}`, { input: 'one among many' });
    for (let status = ''; status !== 'completed'; ) {
      ({ status } = await served.ask<{ readonly status: string }>('dana', `/jobs/${id}`));
      if (status === 'failed' || status === 'stopped')
        throw new Error(JSON.stringify(await served.ask('dana', `/jobs/${id}`)));
      await setTimeout(500);
    }
    return id;
  };
  const [long, short] = [await run('talkative'), await run('plain')];
  const database = new Database(join(served.dir, '.kit', 'store.sqlite'));
  addFunctions(database, 'write');
  try {
    console.log(
      `events of the run: ${JSON.stringify(database.prepare('SELECT count(*) AS n FROM events WHERE job_id = ?').get(long))}`,
    );
    copyRuns(database, short);
  } finally {
    database.close();
  }
  return long;
}

/** How long somebody with an empty cache waits for rows, without the typing of a key. */
async function firstRows(served: ServedConsole, browser: TestBrowser): Promise<void> {
  for (let round = 1; round <= 3; round++) {
    const page = await browser.page();
    const from = performance.now();
    await page.goto(`${served.url}/console/runs`);
    const key = page.getByLabel('API key');
    await key.waitFor();
    const asked = performance.now();
    await key.fill(KEYS.dana);
    const sent = performance.now();
    await page.keyboard.press('Enter');
    await page.locator('.run-row').first().waitFor();
    const there = performance.now();
    console.log(
      `first rows of ${RUNS} runs, round ${round}: ${(asked - from + there - sent).toFixed(0)} ms, ` +
        `${(there - sent).toFixed(0)} of them after the key`,
    );
    await page.context().close();
  }
}

it.skipIf(RUNS === 0)(
  'runs and a long log scroll, and hold no more than what is seen',
  { timeout: 3_600_000 },
  async () => {
    const [served, browser] = await Promise.all([serveConsole(workspace(), LIMITS), startBrowser()]);
    try {
      const run = await filled(served);
      const { page, faults } = await visits(browser, served).signedIn('dana');
      const devtools = await page.context().newCDPSession(page);
      await firstRows(served, browser);
      await goTo(page, '/runs');
      await page.locator('.run-row').first().waitFor();
      const runs = await scroll(page, '.scroll');
      const runsHeap = await heapMb(devtools);
      const rows =
        Number(await page.evaluate('document.querySelector(".scroll > div").style.height.replace("px", "")')) / 56;
      expect(rows).toBeGreaterThan(RUNS);
      console.log(
        `${RUNS} runs: frames p50 ${p(runs, 0.5)}, p95 ${p(runs, 0.95)}, max ${p(runs, 1)} ms of ${runs.length}; heap ${runsHeap.toFixed(1)} MB`,
      );

      await goTo(page, `/runs/${run}`);
      const from = performance.now();
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
