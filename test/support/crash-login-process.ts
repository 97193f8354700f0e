// argv: a LoginPlan as JSON. Begins runs that use a login, up to where their tokens hold; dies at
// one fault point, or tells what became of each.
import { writeSync } from 'node:fs';
import { contribution } from '../../plugins/oauth/src/oauth.js';
import { isKitError } from '../../src/domain/errors.js';
import { createTestContext } from '../../src/domain/testing.js';
import { createVault } from '../../src/host/vault.js';
import { vaultKeyOf } from '../../src/host/vault-seal.js';
import { createGuardedFetch } from '../../src/system/guarded-fetch/guarded-fetch.js';
import { containerOwner, readWorkerHost } from '../../src/system/worker-host.js';
import { type LoginPlan, loginKey } from './crash-login.js';
import { openCrashStores } from './crash-open.js';
import { createIds } from './store-samples.js';

const plan: LoginPlan = JSON.parse(process.argv[2] ?? '');
const points: string[] = [];
const warnings: string[] = [];
let waits = 0;
const clock = {
  now: () => Date.now() + plan.shiftMs,
  sleep: (ms: number) => {
    waits += 1;
    return new Promise<void>((resolve) => setTimeout(resolve, ms));
  },
};
const faults = {
  hit(name: string): void {
    points.push(name);
    if (points.length !== plan.dieAt) return;
    process.kill(process.pid, 'SIGKILL');
    for (;;); // the signal is on its way: not one more statement
  },
};

const stores = await openCrashStores({ ...plan, clock, ids: createIds(plan.shiftMs === 0 ? 0xfe : 0xff), faults });
const here = containerOwner(readWorkerHost());
const key = vaultKeyOf(loginKey());
const vault = createVault(
  {
    rows: async () => stores.sealed,
    existing: async () => stores.sealed,
    keys: async () => ({ open: [key], source: 'the test' }),
    holder: async () => ({ name: here.label, isGone: here.isGone }),
  },
  'oauth',
);
const warn = (message: string): void => void warnings.push(message);
const context = createTestContext({
  clock,
  vault,
  log: { debug: () => {}, info: () => {}, warn, error: warn },
  outbound: createGuardedFetch({ rules: () => ({ isLocal: true, allow: [] }) }),
});
const source = await contribution.create({}, context);
const use = { name: 'notes', config: { endpoint: plan.endpoint } };
const outcomes: string[] = [];
for (let run = 0; run < plan.runs; run += 1) {
  const outcome = source.prepare?.([use], { owner: null, windowS: 900 });
  outcomes.push(
    await (outcome ?? Promise.resolve()).then(
      () => 'has the token',
      (error: unknown) => (isKitError(error) ? error.code : String(error)),
    ),
  );
}
const token = await source.resolve(use.name, use.config).catch(() => null);
await stores.close();
writeSync(1, `${JSON.stringify({ points, warnings, outcomes, token, waits })}\n`);
