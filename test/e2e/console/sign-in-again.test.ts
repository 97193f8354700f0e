import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOidc, type TestOidc } from '../../support/components/oidc.js';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { atIssuer, kept, signingIn } from './at-issuer.js';
import { type ServedConsole, serveConsole } from './served-console.js';

let oidc: TestOidc;
let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  [oidc, browser] = await Promise.all([startOidc(), startBrowser()]);
  served = await serveConsole(signingIn(oidc));
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await oidc?.close();
});

describe('somebody whose sign-in ends while they write', { timeout: 120_000 }, () => {
  /** At an item with a comment written, where the server takes the token of the page no more. */
  async function writing(
    input: string,
  ): Promise<{ readonly page: Page; readonly run: string; readonly taken: string[] }> {
    const answer = await fetch(`${served.url}/run/release`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await oidc.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
    });
    const { id: run } = (await answer.json()) as { readonly id: string };
    const page = await browser.page();
    // From the beginning: what is sent while a browser begins to hold requests is not held.
    let [isOver, old]: [boolean, string | undefined] = [false, undefined];
    await page.route(
      (url) => url.origin === served.url && !url.pathname.startsWith('/console'),
      (route) => {
        const { authorization } = route.request().headers();
        if (!isOver) return route.continue();
        old ??= authorization;
        const isOld = authorization !== undefined && authorization === old;
        return route.continue({
          headers: { ...route.request().headers(), ...(isOld ? { authorization: 'Bearer over' } : {}) },
        });
      },
    );
    await page.goto(`${served.url}/console`);
    await page.getByRole('button', { name: /^Sign in at/ }).click();
    await atIssuer(page, 'qa-1');
    await page.getByText(input).first().click();
    await page.getByRole('heading', { name: /Review as qa/ }).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type('read with care');
    const taken: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/resolve')) taken.push(`${response.request().postData()} ${response.status()}`);
    });
    isOver = true;
    await page.keyboard.press('Enter');
    await page.getByRole('alert', { name: 'Sign in again' }).waitFor();
    expect(await page.getByRole('textbox', { name: /comment/ }).inputValue()).toBe('read with care');
    return { page, run, taken };
  }
  const approvers = async (run: string): Promise<unknown> => {
    const gate = await fetch(`${served.url}/gates/${run}:writer`, {
      headers: { authorization: `Bearer ${await oidc.token()}` },
    });
    return ((await gate.json()) as { readonly distinct_approvers: unknown }).distinct_approvers;
  };

  it('signs in again with one click, and what they sent is decided once', async () => {
    const { page, run, taken } = await writing('release 9 to production');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: /^Sign in again at/ }).click();
    // The issuer knows who that is, and asks for the consent alone.
    await (await opened).getByRole('button', { name: 'Continue' }).click();

    await served.until(async () => expect(await approvers(run)).toEqual(['qa-1']));
    await page.getByRole('alert', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    // The browser tells of an answer when it finds time for it.
    await served.until(async () =>
      expect(taken).toEqual([
        expect.stringMatching(/read with care.* 401$/),
        expect.stringMatching(/read with care.* 200$/),
      ]),
    );
    expect(await kept(page)).toBe('["",{},{}]');
    await served.until(async () => expect(page.context().pages()).toHaveLength(1));
  });

  it('sends nothing in the name of somebody else who signs in there', async () => {
    const { page, run, taken } = await writing('release 10 to production');
    await page.context().clearCookies();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: /^Sign in again at/ }).click();
    await atIssuer(await opened, 'ops-1');

    await page.locator('nav').getByText('ops-1').waitFor();
    await page.getByRole('alert', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    expect(taken).toEqual([expect.stringMatching(/ 401$/)]);
    expect(await approvers(run)).toEqual([]);
  });
});
