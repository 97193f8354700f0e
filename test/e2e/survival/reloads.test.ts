import { expect, it } from 'vitest';
import { openServedWorld, STORES } from './served-world.js';

const SUBMITS = 200;
const RELOADS = 20;
/** Submits that are under way at a time; more than there are slots, so that some are refused. */
const AT_ONCE = 16;

it.each(STORES)(
  'reloads under load lose no run and refuse none but for capacity, over %s',
  async (store) => {
    const { serve } = await openServedWorld(store, 'server: { jobs: { max_concurrent: 12 } }\n');
    const server = await serve();
    let left = SUBMITS;
    let refusals = 0;
    const ids: string[] = [];
    const submitAll = async (): Promise<void> => {
      while (left > 0) {
        const n = left--;
        for (;;) {
          const { status, body } = await server.post('/run/talk', { input: `job-${n}` });
          if (status === 200) {
            ids.push(body.id);
            break;
          }
          expect([status, body]).toMatchObject([429, { code: 'capacity' }]);
          refusals += 1;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    };
    const reloadAll = async (): Promise<number> => {
      let underLoad = 0;
      for (let n = 0; n < RELOADS; n++) {
        const { status, body } = await server.post('/reload');
        expect([status, body]).toMatchObject([200, { valid: true }]);
        if (left > 0) underLoad += 1;
      }
      return underLoad;
    };
    const [underLoad] = await Promise.all([reloadAll(), ...Array.from({ length: AT_ONCE }, submitAll)]);

    expect(new Set(ids).size).toBe(SUBMITS);
    for (const id of ids) expect(await server.until(id, 'completed')).toMatchObject({ attempt: 1, output: 'all done' });
    expect(underLoad).toBeGreaterThan(RELOADS / 4);
    process.stdout.write(
      `${SUBMITS} submits over ${store}, ${underLoad} of ${RELOADS} reloads meanwhile, ${refusals} answers 429\n`,
    );
  },
  180_000,
);
