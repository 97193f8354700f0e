import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { tooWide, type Visits, violations, visits } from './visit.js';

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

it('two runs stand side by side: figures, agents, what they were asked and answered', async () => {
  const run = async (input: string): Promise<string> => {
    const { id } = await served.ask<{ readonly id: string }>('dana', '/run/plain', { input });
    await served.until(async () =>
      expect(await served.ask('dana', `/jobs/${id}`)).toMatchObject({ status: 'completed' }),
    );
    return id;
  };
  const [first, second] = [await run('the first question'), await run('<img src=x onerror="hacked=1">')];
  const { page, faults } = await signedIn('reader', `/runs/${first}`);
  await page.getByText('Beside another run').click();
  await page.getByLabel('Another run').selectOption(second);
  await page.getByRole('button', { name: 'Show both' }).press('Enter');

  await page.getByRole('heading', { name: 'Two runs of plain' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/runs/${first}/beside/${second}`);
  const figures = page.getByRole('region', { name: 'Figures of both' }).first();
  expect(
    await figures
      .getByRole('row', { name: /^Status/ })
      .getByText('completed')
      .count(),
  ).toBe(2);
  const result = page.getByRole('region', { name: 'Result' });
  expect(await result.locator('.removed', { hasText: 'the first question' }).count()).toBe(1);
  expect(await result.locator('.added', { hasText: 'onerror' }).count()).toBe(1);
  expect(
    await page
      .getByRole('region', { name: 'Agents' })
      .getByRole('row', { name: /^talker ok/ })
      .count(),
  ).toBe(1);
  expect(
    await page
      .getByRole('region', { name: `Run ${second}` })
      .getByText('talker')
      .count(),
  ).toBeGreaterThan(0);
  expect(await page.evaluate('String(globalThis.hacked)')).toBe('undefined');

  await page.getByRole('link', { name: 'Change places' }).click();
  await result.locator('.added', { hasText: 'the first question' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await tooWide(page)).toBe(0);
  expect(faults).toEqual([]);

  const { page: lost } = await signedIn('reader', `/runs/${first}/beside/no-such-run`);
  await lost.getByRole('alert').waitFor();
});
