import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { tooWide, type Visits, visits } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
let signedIn: Visits['signedIn'];
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(openWorkspace()), startBrowser()]);
  ({ signedIn } = visits(browser, served));
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const remember = (value: string, attribute = 'currency') =>
  served.ask('dana', '/memory', { subject: 'billing', attribute, value });
const known = async (attribute: string) => {
  const { current } = await served.ask<{ readonly current: { readonly value: string } | null }>(
    'dana',
    `/memory/item?subject=billing&attribute=${attribute}`,
  );
  return current?.value;
};

describe('the page of memory', () => {
  it('remembers what a person writes, finds it again, and tells how it came about', async () => {
    const { page, faults } = await signedIn('dana', '/memory');
    await page.getByText('Remember something, for everybody').click();
    await page.getByLabel('subject').fill('billing');
    await page.getByLabel('attribute').fill('address');
    await page.getByLabel('value').fill('Invoices go to the second floor');
    await page.keyboard.press('Enter');
    await page.getByText('It is remembered (new).').waitFor();
    await remember('invoices are sent in May', 'month');
    await page.getByText('billing/month').waitFor(); // by itself

    await page.keyboard.press('Escape');
    await page.getByLabel('Search ( / )').fill('second floor');
    await page.keyboard.press('Enter');
    await page.getByText('billing/month').waitFor({ state: 'detached' });
    expect(page.url()).toContain('query=second+floor');
    await page.getByText('How it came about').click();
    await page.getByText(/new by dana/).waitFor();
    expect(faults).toEqual([]);
  });

  it('lets somebody decide what contradicts it with three keys, and shows who did', async () => {
    await remember('euro');
    await remember('yen');
    await remember('daily', 'pace');
    await remember('yearly', 'pace');
    const { page, faults } = await signedIn('qa-1', '/memory');
    const quarantined = page.getByRole('region', { name: 'Set aside' });
    const current = quarantined.locator('[aria-current="true"]');
    await quarantined.getByText('billing/pace').waitFor();
    if ((await current.getByText('billing/pace').count()) === 0) await page.keyboard.press('j');
    await current.getByText('billing/pace').waitFor();

    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    await quarantined.getByText('billing/pace').waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.keyboard.type('a new contract');
    await page.keyboard.press('Enter');
    await quarantined.getByText('billing/currency').waitFor({ state: 'detached' });

    expect([await known('pace'), await known('currency')]).toEqual(['daily', 'yen']);
    await quarantined.getByLabel('Status').selectOption('all');
    await quarantined.getByText('decided by qa-1: a new contract').waitFor();
    expect(faults).toEqual([]);
  });

  it('offers nothing to a reader, says why, and fits on a phone', async () => {
    await remember('monthly', 'interval');
    await remember(`weekly ${'x'.repeat(300)}`, 'interval');
    const { page, faults } = await signedIn('reader', '/memory');
    await page
      .getByText(/your key lacks the scope serve:run/)
      .first()
      .waitFor();
    await page.getByText('billing/interval').first().waitFor();
    expect(await page.getByRole('button', { name: /Accept|Reject|Remember/ }).count()).toBe(0);
    await page.keyboard.press('a');
    expect(await page.getByRole('textbox', { name: /comment/ }).count()).toBe(0);
    await expect(served.ask('reader', '/memory', { subject: 'a', attribute: 'b', value: 'c' })).rejects.toThrow('403');

    await page.setViewportSize({ width: 390, height: 800 });
    expect(await tooWide(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});
