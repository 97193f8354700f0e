import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { KEYS, type ServedConsole, serveConsole } from './served-console.js';
import { type Visits, visits } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
let open: Visits['open'];
let signedIn: Visits['signedIn'];
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(openWorkspace()), startBrowser()]);
  ({ open, signedIn } = visits(browser, served));
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

describe('the console', () => {
  it('takes a key, says when it is wrong, and keeps it nowhere but in the page', async () => {
    const { page, faults } = await open();
    await page.getByLabel('API key').fill('no-such-key-at-all');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill(KEYS['qa-1']);
    await page.keyboard.press('Enter');
    await heading(page, 'Inbox').waitFor();

    const kept = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain(KEYS['qa-1']);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(faults).toEqual([]);
  });

  it('two people decide a gate in three keys each, and see what the other did', async () => {
    const run = await served.parked('release 7 to production');
    const qa = await signedIn('qa-1');
    const ops = await signedIn('ops-1');
    for (const { page } of [qa, ops]) await page.getByText('release 7 to production').first().waitFor();
    expect(await qa.page.title()).toMatch(/^\(\d+\) kit$/);

    await qa.page.getByText('release 7 to production').first().click();
    await heading(qa.page, /Review as qa/).waitFor();
    await qa.page.keyboard.press('a');
    await qa.page.keyboard.type('read it');
    await qa.page.keyboard.press('Enter');
    await qa.page.getByText('You approved release 7 to production.').waitFor();
    await served.until(async () =>
      expect(await served.ask('qa-1', `/gates/${run}:writer`)).toMatchObject({ distinct_approvers: ['qa-1'] }),
    );

    await ops.page.getByText('release 7 to production').first().click();
    await heading(ops.page, /Review as ops/).waitFor();
    await ops.page.getByText('qa-1').first().waitFor();
    await ops.page.keyboard.press('a');
    await ops.page.keyboard.press('Enter');
    await served.until(async () =>
      expect(await served.ask('dana', `/jobs/${run}`)).toMatchObject({ status: 'completed' }),
    );
    expect([...qa.faults, ...ops.faults]).toEqual([]);
  });

  it('hears a key from the moment it shows what the key does', async () => {
    await served.parked('a release for quick hands');
    const { page, faults } = await signedIn('qa-1');
    await page.getByText('a release for quick hands').first().waitFor();
    await page.evaluate(`new MutationObserver((_seen, observer) => {
      if (!document.querySelector('footer.decide kbd')) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.getByText('a release for quick hands').first().click();
    await page.getByRole('textbox', { name: /comment/ }).waitFor({ timeout: 60_000 });
    expect(faults).toEqual([]);
  });

  it('shows without being asked what somebody else did', async () => {
    await served.parked('a release that is there already');
    const { page, faults } = await signedIn('qa-1');
    await heading(page, 'Inbox').waitFor();

    await served.parked('a release that comes while one looks');

    await page.getByText('a release that comes while one looks').waitFor({ timeout: 60_000 });
    const row = page.locator('[aria-current="true"]');
    expect(await row.getAttribute('id')).toBe('row-0');
    await page.keyboard.press('j');
    await page.locator('#row-1[aria-current="true"]').waitFor();
    await page.keyboard.press('k');
    await page.locator('#row-0[aria-current="true"]').waitFor();
    expect(faults).toEqual([]);
  });

  it('asks for changes, and shows what changed when it comes back', async () => {
    const run = await served.parked('a release to be reworked');
    const { page, faults } = await signedIn('qa-1');
    await page.getByText('a release to be reworked').first().click();
    await heading(page, /Review as qa/).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('Enter');
    await page.getByText('Write what should change first').waitFor();
    await page.keyboard.type('shorter, please');
    await page.keyboard.press('Enter');
    await served.until(async () =>
      expect(await served.ask('qa-1', `/gates/${run}:writer`)).toMatchObject({ round: 1, status: 'pending' }),
    );
    await page.goto(`${served.url}/console`);
    await page.getByLabel('API key').fill(KEYS['qa-1']);
    await page.keyboard.press('Enter');
    await page.getByText('a release to be reworked').first().click();
    await heading(page, 'Changes since your decision').waitFor();
    await page.getByText('shorter, please').first().waitFor();

    // An old link leads to the task of the newest round.
    await page.goto(`${served.url}/console/items/mpa-${run}:writer-0-qa`);
    await page.getByLabel('API key').fill(KEYS['qa-1']);
    await page.keyboard.press('Enter');
    await page.getByText('This is decided: changes-requested by qa-1.').waitFor();
    await page.getByRole('link', { name: 'The task of the newest round is open.' }).click();
    await page.getByRole('button', { name: 'Request changes' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('offers no button to somebody who may not decide, and says why', async () => {
    await served.parked('a release that a reader sees');
    const { items } = await served.ask<{ readonly items: readonly { readonly id: string }[] }>('qa-1', '/inbox');
    const { page, faults } = await signedIn('reader', `/items/${encodeURIComponent(items.at(-1)?.id ?? '')}`);

    await page.getByText(/You cannot decide this: .*lacks the scope/).waitFor();
    await page.getByText(/qa-1.* as qa/).waitFor();
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows a run with its agents, why it stands there, its log; stops and resumes it when asked twice', async () => {
    const run = await served.parked('a release to look at');
    const { page, faults } = await signedIn('dana', '/runs');
    await page.getByText(run.slice(0, 8)).first().click();
    await heading(page, 'release').waitFor();
    await page.getByText('a release to look at').first().waitFor();
    await page.getByText('writer').first().waitFor();
    await page.locator('summary', { hasText: /^Log$/ }).click();
    await page
      .getByText(/submitted by dana/)
      .first()
      .waitFor();

    await page.getByRole('button', { name: 'stop' }).click();
    await page.getByRole('button', { name: 'Yes, stop it' }).click();

    await served.until(async () =>
      expect(await served.ask('dana', `/jobs/${run}`)).toMatchObject({ status: 'stopped' }),
    );

    await page.getByRole('button', { name: 'resume' }).click();
    await page.getByRole('button', { name: 'Yes, resume it' }).click();

    await served.until(async () =>
      expect(await served.ask('dana', `/jobs/${run}`)).toMatchObject({ status: 'deferred' }),
    );
    await page.getByRole('button', { name: 'stop' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('starts a run from its topology, and leads to it', async () => {
    const { page, faults } = await signedIn('dana', '/topologies');
    await page.getByText('Nobody signs.').click();
    await page.getByLabel('Input').fill('begun in a browser');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('mock answer to: begun in a browser').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('sends a browser from the link of a gate to the page that decides it, and a program nowhere', async () => {
    const run = await served.parked('a release behind a link');
    const link = `${served.url}/gates/${run}:writer`;

    const program = await fetch(link, { headers: { authorization: `Bearer ${KEYS['qa-1']}` } });
    expect(await program.json()).toMatchObject({ gate_id: `${run}:writer` });

    const page = await browser.page();
    await page.goto(link);
    await page.getByLabel('API key').fill(KEYS['qa-1']);
    await page.keyboard.press('Enter');
    await heading(page, 'Review as qa').waitFor();
    await page.getByText('a release behind a link').first().waitFor();
  });

  it('answers pages under the policy that it promises, packed, and the same page for every address', async () => {
    const page = await fetch(`${served.url}/console/no/such/place`);

    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await page.text();
    const [, script = ''] = /src="([^"]+)"/.exec(text) ?? [];
    const code = await fetch(`${served.url}${script}`);
    expect(code.headers.get('cache-control')).toContain('immutable');
    expect(code.headers.get('content-encoding')).toBe('gzip');
    expect(text).not.toMatch(/<script>|https?:/);
  });
});
