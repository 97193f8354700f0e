import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../src/domain/faults.js';
import { createVault } from '../../src/host/vault.js';
import { vaultKeyOf } from '../../src/host/vault-seal.js';
import { logIn, loginWorld } from '../plugins/oauth/login-world.js';
import { type LoginProvider, startLoginProvider } from '../support/components/login-provider.js';
import { CRASH_STORES, openCrashDatabase } from '../support/crash-database.js';
import { type LoginPlan, type LoginTold, loginKey } from '../support/crash-login.js';
import { openCrashStores } from '../support/crash-open.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';
import { startStoreProcess } from '../support/store-process.js';
import { createIds } from '../support/store-samples.js';

/** Shorter than the lease of whoever refreshes: that its holder is dead is told by its process. */
const LATER_MS = 1_000;
/** Of each store in the usual long run; `npm run crash` takes every point. */
const SHARE = 2;

let provider: LoginProvider;
let root: string;
beforeAll(async () => {
  [provider, root] = await Promise.all([startLoginProvider(), mkdtemp(join(tmpdir(), 'kit-logins-'))]);
});
afterAll(async () => {
  await provider.close();
  await rm(root, { recursive: true, force: true });
});

describe.each(CRASH_STORES)('a process that refreshes a token and dies, on %s', (store) => {
  let cases = 0;

  /** A store with a login in it whose token is near its end. */
  async function loggedIn() {
    cases += 1;
    const stateDir = join(root, `${store}-${cases}`);
    const database = await openCrashDatabase(store, stateDir);
    const { url } = database;
    const clock = { now: () => Date.now(), sleep: async () => {} };
    const stores = await openCrashStores({ url, stateDir, clock, ids: createIds(0xfd), faults: NO_FAULTS });
    const keys = async () => ({ open: [vaultKeyOf(loginKey())] as const, source: 'the test' });
    const rows = async () => stores.sealed;
    const vault = createVault(
      { rows, existing: rows, keys, holder: async () => ({ name: 'test', isGone: () => false }) },
      'oauth',
    );
    await provider.behave({ ttl: 300 });
    const { logins } = await loginWorld(vault).open();
    await logIn(logins, provider.endpoint);
    await stores.close();
    const start = async (plan: Pick<LoginPlan, 'dieAt' | 'shiftMs' | 'runs'>) => {
      await provider.behave({ ttl: 3600 });
      const all: LoginPlan = { url, stateDir, endpoint: provider.endpoint, ...plan };
      return (await startStoreProcess('crash-login-process.ts', JSON.stringify(all))).rest<LoginTold>();
    };
    return { start, database };
  }

  it('leaves a token or a question for consent to the next start, which says what happened and asks once', async () => {
    const whole = await loggedIn();
    const recorded = await whole.start({ dieAt: 0, shiftMs: 0, runs: 1 });
    await whole.database.dispose();
    const [reported] = recorded.lines;
    expect(reported, recorded.stderr).toMatchObject({ outcomes: ['has the token'], warnings: [] });
    const points = reported?.points ?? [];
    // The lease, the note that the provider is asked, the token, the end of the lease.
    expect(points).toEqual(
      ['sealed.lease', 'sealed.write', 'sealed.write', 'sealed.lease'].flatMap((name) => [
        `${name}:before`,
        `${name}:after`,
      ]),
    );

    const all = points.map((name, index) => ({ name, dieAt: index + 1 }));
    const chosen = isFull() ? all : shuffled(all).slice(0, SHARE);
    const ends: string[] = [];
    for (const { name, dieAt } of chosen) {
      const one = await loggedIn();
      const before = await provider.counts();
      const where = `${dieAt} of ${points.length}: ${name}`;
      expect((await one.start({ dieAt, shiftMs: 0, runs: 1 })).signal, where).toBe('SIGKILL');
      const wasAsked = (await provider.counts()).refresh - before.refresh;
      // Only between the answer and the commit of the token nobody knows it.
      const isLost = dieAt === 5;
      expect(wasAsked, where).toBe(dieAt >= 5 ? 1 : 0);
      await one.database.bury(LATER_MS);

      const next = await one.start({ dieAt: 0, shiftMs: LATER_MS, runs: 3 });

      const [after] = next.lines;
      const end = isLost ? 'KIT_CONSENT_REQUIRED' : 'has the token';
      expect(after?.outcomes, `${where} ${next.stderr}`).toEqual([end, end, end]);
      expect(after?.waits, where).toBe(0);
      // The note stood, and no token did: whoever comes next says so.
      const isReported = dieAt === 4 || dieAt === 5;
      expect(
        after?.warnings.some((line) => line.includes('a refresh was begun before')),
        where,
      ).toBe(isReported);
      const counts = await provider.counts();
      expect(counts.token - before.token, where).toBeLessThanOrEqual(2);
      expect(counts.refresh - before.refresh, where).toBe(1);
      ends.push(`${name} -> ${end}`);
      await one.database.dispose();
    }
    console.log(`logins on ${store}: ${chosen.length}/${points.length} points (seed ${seed()})\n${ends.join('\n')}`);
  }, 180_000);
});
