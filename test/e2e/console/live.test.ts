import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type Person, type ServedConsole, serveConsole } from './served-console.js';
import { visits } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(openWorkspace()), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

async function sign(run: string): Promise<void> {
  for (const person of ['qa-1', 'ops-1'] as const satisfies readonly Person[]) {
    const { items } = await served.ask<{
      readonly items: readonly { readonly id: string; readonly run_id: string; readonly role: string }[];
    }>(person, '/inbox');
    const item = items.find((one) => one.run_id === run && one.role === person.slice(0, -2));
    await served.ask(person, `/review/${item?.id}/resolve`, { outcome: 'approve', comment: '' });
  }
}

const said = (page: Page) => page.getByRole('list', { name: 'What was said' }).getByRole('listitem');

it('pages whose server was out of reach show all that went on meanwhile, and nothing twice', async () => {
  const { signedIn } = visits(browser, served);
  const [one, two] = [await served.parked('the first release'), await served.parked('the second release')];
  const { id: talk } = await served.ask<{ readonly id: string }>('dana', '/conversations', { topology: 'plain' });
  await served.say('dana', talk, 'before');
  const [fleet, beside, chat] = [
    await signedIn('dana', '/fleet'),
    await signedIn('dana', `/runs/${one}/beside/${two}`),
    await signedIn('dana', `/chat/${talk}`),
  ];
  const pages = [fleet, beside, chat].map(({ page }) => page);
  await fleet.page.getByRole('heading', { name: 'Waits for people (4)' }).waitFor();
  await beside.page.getByRole('heading', { name: 'Two runs of release' }).waitFor();
  await chat.page.getByText('mock answer to: before').waitFor();

  for (const page of pages) await page.context().setOffline(true);
  for (const page of pages) await page.getByText('The server does not answer.').waitFor();
  await sign(one);
  const third = await served.parked('the third release');
  await served.say('dana', talk, 'meanwhile');
  await served.say('dana', talk, 'and once more');
  for (const page of pages) await page.context().setOffline(false);

  for (const page of pages) await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
  await chat.page.getByText('mock answer to: and once more').waitFor();
  expect(await said(chat.page).count()).toBe(6);
  expect(await chat.page.getByText('mock answer to: meanwhile', { exact: true }).count()).toBe(1);
  const status = beside.page.getByRole('row', { name: /^Status/ });
  await status.getByText('completed').waitFor();
  expect(await status.getByText('deferred').count()).toBe(1);
  expect(
    await beside.page
      .getByRole('region', { name: `Run ${one}` })
      .locator('.tree > li')
      .count(),
  ).toBe(1);
  await fleet.page.locator('li', { hasText: 'release' }).nth(3).waitFor();
  const waiting = await served.ask<{ readonly waiting: readonly { readonly job_id: string }[] }>('dana', '/fleet');
  expect(waiting.waiting.map(({ job_id: job }) => job).sort()).toEqual([two, two, third, third].sort());
  expect(await fleet.page.locator('li', { hasText: 'release' }).count()).toBe(4);

  // What begins afterwards comes by itself again.
  await sign(two);
  await fleet.page.getByRole('heading', { name: 'Waits for people (2)' }).waitFor();
  await expect.poll(() => status.getByText('completed').count()).toBe(2);
});
