import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { gated } from '../review/gated-workspace.js';
import { SERVER, type ServedConsole, serveConsole } from './served-console.js';
import { violations, visits } from './visit.js';

/** qa-1 is in both roles, and two people have to sign. */
const TWO_HATS = gated({
  workspace: SERVER,
  approve: '  min_distinct_approvers: 2\n',
  roles: `roles:
  - { id: qa, members: [qa-1], scopes: ["release:sign"] }
  - { id: ops, members: [qa-1, ops-1], scopes: ["release:sign"] }
`,
});

let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(TWO_HATS), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

it('says on the next item what was decided about the one before, until somebody goes on', async () => {
  await served.parked('the one release');
  const { page, faults } = await visits(browser, served).signedIn('qa-1');
  await page.getByText('the one release').first().click();
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  const approved = page.getByText('You approved the one release. Here is the next one.');
  await approved.waitFor();

  // The other task of the same gate: one person has two hats, and is one person.
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.getByText('Too few people have signed. Somebody who has not signed yet must still decide').waitFor();
  expect(await approved.count()).toBe(0);
  await page.locator('.said').getByRole('link', { name: 'the one release' }).click();
  await page.getByText('You cannot decide this').waitFor();
  await page.locator('.said').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});

it('keeps what somebody was writing when another decides before them', async () => {
  const run = await served.parked('a release for two');
  const { page, faults } = await visits(browser, served).signedIn('qa-1');
  await page.getByText('a release for two').first().click();
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('the numbers of May are missing');
  await served.ask('ops-1', `/review/mpa-${run}:writer-0-ops/resolve`, { outcome: 'reject', comment: 'no' });

  await page.getByText(/You cannot decide this|This is decided/).waitFor();
  await page.getByText('You had written:').waitFor();
  await page.getByText('the numbers of May are missing').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
});

it('begins each page for the keyboard and the tab as a new document would', async () => {
  const run = await served.parked('a release to hear');
  const { page, faults } = await visits(browser, served).signedIn('ops-1');
  await page.getByText('a release to hear').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('main:focus').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
  // Enter opens the marked row, and is the key of whatever else has the focus.
  await page.getByRole('link', { name: 'Topologies' }).press('Enter');
  await page.getByRole('heading', { name: 'Topologies' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('i');

  await page.getByText('a release to hear').first().click();
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  expect(await page.title()).toContain(`Item mpa-${run}:writer-`);
  await page.locator('main:focus').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(await page.title()).toMatch(/^\(\d+\) Runs - kit$/);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'Chat' }).waitFor();
  expect(faults).toEqual([]);
});

it('leads from a link to what is not there to what waits, and names no route of the API', async () => {
  const { page } = await visits(browser, served).signedIn('qa-1', '/gates/0a1b2c3d4e5f:writer');
  await page.getByText('there is no gate 0a1b2c3d4e5f:writer').waitFor();
  expect(await page.getByText('GET /').count()).toBe(0);
  await page.getByRole('link', { name: 'What waits for you' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
});

it('cuts words that are too long for a phone with a sign that there is more', async () => {
  await served.parked(`the release ${'of many words '.repeat(20)}`);
  const { page } = await visits(browser, served).signedIn('ops-1');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('.line', { hasText: 'of many words' }).first().waitFor();
  // The sign is drawn where the words themselves are in the box that is too small.
  const cut = `[...document.querySelectorAll('.line')].filter((box) => box.scrollWidth > box.clientWidth)`;
  expect(await page.evaluate(`${cut}.map((box) => getComputedStyle(box).display)`)).toEqual(['block']);
});
