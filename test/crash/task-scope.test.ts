import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { CRASH_STORES } from '../support/crash-database.js';
import { runScope, type ScopeOptions } from '../support/crash-scope.js';
import { isFull } from '../support/crash-share.js';

type Scene = Awaited<ReturnType<typeof runScope>>;

const ROWS: readonly {
  readonly title: string;
  readonly options: Omit<ScopeOptions, 'store'>;
  readonly end: Readonly<Record<string, string>>;
}[] = [
  {
    title: 'a failure',
    options: { thirdChild: async () => 'fails' },
    end: { status: 'failed', reason: 'provider.server' },
  },
  {
    title: 'a stop, which lets the harness and the command finish',
    options: {
      thirdChild: async (scene) => {
        await scene.requestStop();
        scene.go();
        return 'answers';
      },
    },
    end: { status: 'stopped', reason: 'stop_requested' },
  },
  {
    title: 'a timeout',
    options: { thirdChild: async () => 'hangs', timeoutMs: 3_000 },
    end: { status: 'failed', reason: 'timeout' },
  },
  {
    title: 'the second Ctrl-C',
    options: {
      thirdChild: async (scene) => {
        scene.abort();
        return 'hangs';
      },
    },
    end: { status: 'stopped', reason: 'interrupted' },
  },
];

const stores = CRASH_STORES.filter((store) => existsSync('/proc/self/environ') && (store === 'SQLite' || isFull()));

describe.each(stores)(
  'one of three parallel children, while the others are inside a harness and inside a command, on %s',
  (store) => {
    let scene: Scene | null = null;
    afterEach(async () => {
      await scene?.dispose();
      scene = null;
    });

    for (const { title, options, end } of ROWS) {
      it(`nothing of the run executes when its final status is written: ${title}`, async () => {
        scene = await runScope({ ...options, store });

        expect(scene.result).toMatchObject({ kind: 'ended', end });
        expect(scene.row).toMatchObject(end);
        expect(scene.atEnd.alive, 'processes when the final status was written').toEqual([]);
        expect(scene.endedTickBytes, 'they had written something').toBeGreaterThan(0);
        // Looks for longer than their pause between two lines.
        for (let look = 0; look < 10; look += 1) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          expect(scene.tickBytes(), 'a file that was written after the final status').toBe(scene.atEnd.tickBytes);
        }
      }, 60_000);
    }
  },
);
