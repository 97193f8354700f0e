import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { KEYS, type ServedConsole, serveConsole } from './served-console.js';
import { visits } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const AWAY = 'The server does not answer. What you see may be old; it is asked again by itself.';

it('says that a decision was not answered while the network is gone, and takes it when it is back', async () => {
  const run = await served.parked('a release without a network');
  const { page } = await visits(browser, served).signedIn('qa-1');
  await page.getByText('a release without a network').first().click();
  await page.getByRole('heading', { name: 'Review as qa' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));

  await page.context().setOffline(true);
  // What is under way over the network of before is given up, though nothing tells of its end.
  await page.getByText(AWAY).waitFor();
  await page.keyboard.press('a');
  await page.keyboard.type('read it');
  await page.keyboard.press('Enter');
  const problem = page.getByRole('alert').filter({ hasText: 'What you sent may have arrived' });
  await problem.waitFor();
  expect(await problem.textContent()).toContain('The server does not answer. Is it running?');

  await page.context().setOffline(false);
  await page.getByText(AWAY).waitFor({ state: 'detached' });
  // Nothing has happened meanwhile: it answers at once all the same.
  expect(asked.some((url) => url.includes('/events?wait=0&'))).toBe(true);
  await page.getByRole('textbox').focus();
  await page.keyboard.press('Enter');
  await served.until(async () =>
    expect(await served.ask('qa-1', `/gates/${run}:writer`)).toMatchObject({ distinct_approvers: ['qa-1'] }),
  );
}, 120_000);

it('sends again what was refused when the key of before is good again', async () => {
  const run = await served.parked('a release whose key is gone for a while');
  const { page } = await visits(browser, served).signedIn('qa-1');
  await page.getByText('a release whose key is gone').first().click();
  await page.getByRole('heading', { name: 'Review as qa' }).waitFor();
  await page.route(
    (url) => !url.pathname.startsWith('/console'),
    (route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer over' } }),
  );
  await page.keyboard.press('a');
  await page.keyboard.type('read it');
  await page.keyboard.press('Enter');
  const bar = page.getByRole('alert', { name: 'Sign in again' });
  await bar.waitFor();
  await page.unrouteAll();

  await bar.getByLabel('API key').fill(KEYS['qa-1']);
  await page.keyboard.press('Enter');

  await bar.waitFor({ state: 'detached' });
  await served.until(async () =>
    expect(await served.ask('qa-1', `/gates/${run}:writer`)).toMatchObject({ distinct_approvers: ['qa-1'] }),
  );
}, 120_000);
