import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { gated } from '../review/gated-workspace.js';
import { SERVER, type ServedConsole, serveConsole } from './served-console.js';
import { violations, violationsInBoth, visits } from './visit.js';

const CANARY = `  canary:
    routes:
      - topology: plain
        versions:
          - { version: 1.0.0, weight: 90 }
          - { version: 1.1.0, weight: 10, promote_when: { min_runs: 50 } }
`;

const TRIGGER = `apiVersion: kit/v1
kind: Trigger
metadata: { id: nightly, name: Nightly }
type: manual
targets: [plain]
`;

/** Two versions of a topology, and a trigger of it; `ops-1` is an administrator. */
function splitWorkspace(): Record<string, string> {
  const server = SERVER.replace('client_id: ops-1, tier: run', 'client_id: ops-1, tier: admin');
  const files = gated({ workspace: `${server}${CANARY}` });
  const plain = files['topologies/plain.yaml'] ?? '';
  const next = plain.replace('version: 1.0.0', 'version: 1.1.0');
  const script = '[{ text: done, usage: { input_tokens: 10, output_tokens: 2, cost_usd: 0.25 } }]';
  const priced = plain
    .replace('name: plain', 'name: priced')
    .replace('name: m1', `name: m2, options: { script: ${script} }`);
  return {
    ...files,
    'topologies/plain-next.yaml': next,
    'topologies/priced.yaml': priced,
    'triggers/nightly.yaml': TRIGGER,
  };
}

let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(splitWorkspace()), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

it('an administrator promotes a version and rolls back, and who runs things only looks', async () => {
  const visit = visits(browser, served);
  const { id } = await served.ask<{ readonly id: string }>('dana', '/run/plain', { input: 'one that is counted' });
  await served.until(async () => {
    const { status } = await served.ask<{ readonly status: string }>('dana', `/jobs/${id}`);
    if (status !== 'completed') throw new Error(`the run is ${status}`);
  });

  const { page, faults } = await visit.signedIn('ops-1', '/topologies/plain');
  const traffic = page.getByRole('region', { name: 'Traffic' });
  await traffic.getByRole('row', { name: /1\.0\.0 90 %/ }).waitFor();
  await traffic.getByText('open: min_runs 50').waitFor();
  await traffic.getByRole('button', { name: 'Promote' }).click();
  await traffic.getByRole('button', { name: 'Yes, all traffic to 1.1.0' }).click();
  await traffic.getByRole('row', { name: /1\.1\.0 100 %/ }).waitFor();
  await traffic.getByText('promoted by ops-1: 1.0.0 0 %, 1.1.0 100 %').waitFor();
  expect(await violations(page)).toEqual([]);

  const other = await visit.signedIn('dana', '/topologies/plain');
  const seen = other.page.getByRole('region', { name: 'Traffic' });
  await seen.getByText('your key lacks the scope serve:admin').waitFor();
  expect(await seen.getByRole('button').count()).toBe(0);
  await expect(served.ask('dana', '/canary/plain/rollback', {})).rejects.toThrow('403');

  await traffic.getByRole('button', { name: 'Roll back' }).click();
  await traffic.getByRole('button', { name: 'Yes, all traffic to 1.0.0' }).click();
  await traffic.getByText('rolled back by ops-1').waitFor();
  await traffic.getByRole('row', { name: /1\.0\.0 100 %/ }).waitFor();
  expect([...faults, ...other.faults]).toEqual([]);
});

it('the page of triggers shows what each has started last, and leads there', async () => {
  const { page, faults } = await visits(browser, served).signedIn('dana', '/triggers');
  const firings = page.getByRole('listitem').filter({ hasText: 'nightly' }).first();
  await firings.getByRole('button', { name: 'Fire now' }).click();
  await firings.getByRole('button', { name: 'Yes, fire it' }).click();
  await firings.getByRole('link', { name: 'plain' }).first().waitFor();

  const reader = await visits(browser, served).signedIn('reader', '/triggers');
  const fired = reader.page.getByText(/^fired just now, plain$/);
  await fired.waitFor();
  await fired.getByRole('link', { name: 'plain' }).click();
  await reader.page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(reader.page.url()).pathname).toMatch(/^\/console\/runs\/[0-9a-f]+$/);
  expect([...faults, ...reader.faults]).toEqual([]);
});

it('the page of usage draws the cost of each day, and lists it by model and by topology', async () => {
  const { id } = await served.ask<{ readonly id: string }>('dana', '/run/priced', { input: 'what costs a quarter' });
  await served.until(async () => {
    const { status } = await served.ask<{ readonly status: string }>('dana', `/jobs/${id}`);
    if (status !== 'completed') throw new Error(`the run is ${status}`);
  });
  const today = new Date().toISOString().slice(0, 10);

  const { page, faults } = await visits(browser, served).signedIn('reader', '/usage');
  await page.getByRole('img', { name: new RegExp(`^Cost by day .*to ${today}, at most \\$0\\.25 a day`) }).waitFor();
  await page.getByRole('row', { name: /^m2 1 10 2 \$0\.25/ }).waitFor();
  await page.getByRole('button', { name: 'by topology' }).click();
  await page.getByRole('row', { name: /^priced 1 10 2 \$0\.25/ }).waitFor();
  await page.getByText('The figures of each day').click();
  await page.getByRole('row', { name: new RegExp(`^${today} .*\\$0\\.25`) }).waitFor();
  expect(await page.getByTitle(`${today}: $0.25`).count()).toBe(1);
  expect(await violationsInBoth(page)).toEqual([]);
  expect(faults).toEqual([]);
});
