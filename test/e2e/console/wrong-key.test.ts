import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { KEYS, type ServedConsole, serveConsole } from './served-console.js';

let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

it('says what to do with a key that the server does not know, and when it does so no more', async () => {
  const page = await browser.page();
  await page.goto(`${served.url}/console`);
  await page.getByLabel('API key').fill('the-long-key-of-nobody');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe(
    'The key is not known. Paste the whole API key, or ask whoever runs this server for a new one.',
  );

  await page.getByLabel('API key').fill(KEYS.dana);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  // The server has another key of hers from now on.
  await page.route(
    (url) => !url.pathname.startsWith('/console'),
    (route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer over' } }),
  );
  await page.getByRole('link', { name: 'Runs' }).click();
  const bar = page.getByRole('alert', { name: 'Sign in again' });
  await bar.waitFor();
  expect(await bar.textContent()).toContain('takes your API key no more: ask whoever runs it for a new one. What you');
}, 120_000);
