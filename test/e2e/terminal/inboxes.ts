import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { kitInTerminal, type PseudoTerminal, shellInTerminal } from '../../support/components/pseudo-terminal.js';
import { gated } from '../review/gated-workspace.js';
import { lastOf, makeWorld, processesOf, type World } from '../world.js';

interface Look {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** A workspace with a run that waits for qa and ops, and terminals to decide at. */
export interface Desk {
  readonly dir: string;
  readonly job: string;
  task(role: string, round?: number): string;
  /** `kit review` of one person. */
  inbox(flags?: readonly string[], look?: Look): PseudoTerminal;
  /** A line of `sh` in which `$REVIEW` is `kit review` of qa-1. */
  shell(line: string, look?: Look): PseudoTerminal;
  /** As the store has it. */
  item(id: string): Record<string, unknown> | undefined;
  /** Opens the store by the side, and closes it again. */
  sql(statement: string): void;
}

/** What the line discipline of the terminal is set to, as a person's next program finds it. */
export const STATE = 'code=$?; echo "exit=$code"; stty -a | tr ";" "\\n"';

/** One world for a file; every terminal is gone when its test is over. */
export function inboxTests(): { readonly world: () => World; desk(runs?: number): Promise<Desk> } {
  let world: World;
  let count = 0;
  const opened: PseudoTerminal[] = [];
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterEach(async () => {
    for (const terminal of opened.splice(0)) await terminal.dispose();
    // Runs that went on in a terminal have ended with it.
    await expect.poll(() => processesOf(world.temp)).toEqual([]);
  });
  afterAll(() => world.dispose());
  const keep = (terminal: PseudoTerminal): PseudoTerminal => {
    opened.push(terminal);
    return terminal;
  };
  return {
    world: () => world,
    desk: async (runs = 1) => {
      count += 1;
      const dir = world.files(`desk-${count}`, gated());
      let job = '';
      for (let n = 0; n < runs; n++) {
        const run = await world.kit(['run', dir, 'release', '--input', 'write it', '--as', 'dana', '--json']);
        expect(run.code).toBe(3);
        job = String(lastOf(run).id);
      }
      const options = ({ env: more, ...size }: Look) => ({ ...size, cwd: world.base, env: { ...world.env, ...more } });
      const withStore = <T>(use: (store: Database.Database) => T): T => {
        const store = new Database(join(dir, '.kit', 'store.sqlite'), { timeout: 5_000 });
        try {
          return use(store);
        } finally {
          store.close();
        }
      };
      return {
        dir,
        job,
        task: (role, round = 0) => `mpa-${job}:writer-0-${role}${round === 0 ? '' : `-r${round}`}`,
        inbox: (flags = ['--as', 'qa-1'], look = {}) => keep(kitInTerminal(['review', dir, ...flags], options(look))),
        shell: (line, look = {}) =>
          keep(shellInTerminal(`REVIEW="$KIT review ${dir} --as qa-1"; ${line}`, options(look))),
        item: (id) =>
          withStore((store) =>
            store.prepare('SELECT status, resolved_by, comment FROM review_items WHERE id = ?').get(id),
          ) as Record<string, unknown> | undefined,
        sql: (statement) => withStore((store) => void store.exec(statement)),
      };
    },
  };
}

/**
 * What a person finds after the inbox: the shell's own screen with nothing of the inbox, and a
 * terminal that echoes.
 */
export function expectCleanTerminal(terminal: PseudoTerminal): void {
  const shown = terminal.all().join('\n');
  expect(shown).toMatch(/(^|\s)icanon\b/);
  expect(shown).toMatch(/(^|\s)isig\b/);
  expect(shown).toMatch(/(^|\s)echo\b/);
  expect(shown).not.toContain('inbox of');
  expect(terminal.isCursorShown()).toBe(true);
  expect(terminal.raw().lastIndexOf('\u001b[?1049l')).toBeGreaterThan(terminal.raw().lastIndexOf('\u001b[?1049h'));
  expect(terminal.raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(terminal.raw().lastIndexOf('\u001b[?2004h'));
  // No mode of a mouse was ever asked for.
  expect(terminal.raw()).not.toMatch(/\[\?(1000|1002|1003)h/);
}
