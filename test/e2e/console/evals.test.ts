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

const HOSTILE = '<img src=x onerror="globalThis.hacked=1">';
const set = (kind: string, polite: string): string => `apiVersion: kit/v1
kind: EvalSet
metadata: { id: greetings }
target: plain
cases:
  - { id: kind, input: '${kind}', expect: { contains: [mock] } }
  - { id: polite, input: '${HOSTILE}', expect: { contains: ['${polite}'] } }
`;

it('compares two reports of an eval set: what regressed, why, and both outputs', async () => {
  const { page, faults } = await signedIn('reader', '/evals');
  await page.getByText('Nothing was evaluated').waitFor();

  served.write('evals/greetings.yaml', set('hello', 'mock'));
  expect((await served.kit(['eval', '--json'])).code).toBe(0);
  served.write('evals/greetings.yaml', set('good evening', 'please'));
  expect((await served.kit(['eval', '--json'])).code).toBe(1);

  const rows = page.getByRole('listitem').filter({ hasText: 'greetings' });
  await rows.nth(1).waitFor(); // by itself: the runs of the cases are in the log
  expect(await rows.allTextContents()).toEqual([
    expect.stringContaining('1 of 2 passed'),
    expect.stringContaining('2 of 2 passed'),
  ]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'greetings' }).waitFor();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByText('It became worse').waitFor();
  await comparison.getByText('regressed: polite').waitFor();
  const cases = page.getByRole('region', { name: 'Cases' }).getByRole('listitem');
  expect(await cases.first().textContent()).toMatch(/polite.*was ok/);
  await cases
    .first()
    .getByText(/^contains: /)
    .waitFor();
  await cases.nth(1).locator('summary').first().click();
  await cases.nth(1).locator('.added', { hasText: 'good evening' }).waitFor();
  expect(await page.evaluate('String(globalThis.hacked)')).toBe('undefined');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await tooWide(page)).toBe(0);

  await cases.nth(1).getByRole('link', { name: 'beside the one before' }).click();
  await page.getByRole('heading', { name: 'Two runs of plain' }).waitFor();
  expect(faults).toEqual([]);
});
