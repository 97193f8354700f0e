import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { fillSqlite } from '../../support/many-gates.js';
import { inboxTests } from './inboxes.js';

const { desk, world } = inboxTests();
const OPEN = 10_000;
/** Goal; the figure is printed beside it. */
const GOAL_MIB = 150;

interface Memory {
  readonly mib: number;
  /** Measurements of drawings that React's development build would have kept. */
  readonly kept: number;
  readonly nodeEnv: string | null;
}

/** Has a kit write down the largest memory it ever had, and what it kept. */
function watchedMemory(): { readonly env: NodeJS.ProcessEnv; read(): Memory } {
  const [hook, figure] = [join(world().base, 'memory.mjs'), join(world().base, 'memory.txt')];
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => writeFileSync(${JSON.stringify(figure)}, JSON.stringify({ kib: process.resourceUsage().maxRSS, kept: performance.getEntriesByType('measure').length, env: process.env.NODE_ENV ?? null })));\n`,
  );
  const read = (): Memory => {
    const { kib, kept, env } = JSON.parse(readFileSync(figure, 'utf8')) as {
      kib: number;
      kept: number;
      env: string | null;
    };
    return { mib: kib / 1_024, kept, nodeEnv: env };
  };
  return { env: { NODE_OPTIONS: `--import=${hook}` }, read };
}

describe('ten thousand open gates, in processes of their own', () => {
  it('are listed and paged through in the inbox, and take no more memory than is printed', async () => {
    const at = await desk();
    const db = new Database(join(at.dir, '.kit', 'store.sqlite'), { timeout: 5_000 });
    addFunctions(db, 'write');
    fillSqlite(db, { open: OPEN, decided: OPEN });
    db.exec('DELETE FROM timers');
    db.close();
    const memory = watchedMemory();
    const reported = (what: string): void =>
      console.log(`10,000 open gates, memory of ${what}: ${memory.read().mib.toFixed(0)} MiB (goal ${GOAL_MIB} MiB)`);

    const listed = await world().kit(['review', 'list', at.dir, '--json', '--limit', '100'], { env: memory.env });
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    reported('kit review list');

    const terminal = at.inbox(['--as', 'qa-1'], { env: memory.env });
    await terminal.sees(/1 of 10001/);
    for (const place of ['50', '100', '150', '200']) {
      terminal.type('\u001b[F');
      await terminal.sees(new RegExp(`^inbox of qa-1 {2}${place} of 10001`));
      // The end of what is there asks for what follows.
      await terminal.until((screen) => !screen.some((row) => row.startsWith('reading')));
    }
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    reported('kit review, five pages');
    // Nothing stays of what was drawn, and the variable that saw to it is as it was.
    expect(memory.read()).toMatchObject({ kept: 0, nodeEnv: null });
  }, 60_000);
});
