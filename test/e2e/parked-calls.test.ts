import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitHome, makeHome } from '../support/kit-process.js';
import { measureParkedCalls } from '../support/parked-calls.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

// `npm run bench -- parked-calls` is the same with a hundred, or a thousand.
describe.skipIf(!existsSync('/proc/self/stat'))('runs that wait for people at a call of their harness', () => {
  it('have no process and little in the store, and go on in another server within its slots, none twice', async () => {
    const seen = await measureParkedCalls(home, { runs: 3, slots: 2 });

    expect(seen).toMatchObject({ processes: 0, statuses: { completed: 3 }, made: 3, twice: 0 });
    expect(seen.atOnce).toBeLessThanOrEqual(2);
    expect(seen.storeBytes).toBeLessThanOrEqual(60_000);
  }, 300_000);
});
