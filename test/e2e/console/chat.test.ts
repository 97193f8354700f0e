import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type Person, type ServedConsole, serveConsole } from './served-console.js';
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

const begin = async (by: Person, topology: string, isShared = false): Promise<string> => {
  const { id } = await served.ask<{ readonly id: string }>(by, '/conversations', { topology, shared: isShared });
  return id;
};
/** Turns alone: while a run works, lines of its log are a list within its turn. */
const said = (page: Page) => page.locator('ol[aria-label="What was said"] > li');
/** The answer itself: a line of the log may hold its words before. */
const answer = (page: Page, words: string) => said(page).filter({ hasText: words }).and(page.locator('.swarm'));

describe('the page of conversations', () => {
  it('begins one, sends with Enter, and shows the answers; a second person sees them come', async () => {
    const { page, faults } = await signedIn('dana', '/chat');
    await page.getByLabel('Talk with').selectOption('plain');
    await page.getByLabel('others may read').check();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByLabel('Message').waitFor();
    const other = await signedIn('qa-1', new URL(page.url()).pathname.replace('/console', ''));

    await page.keyboard.type('Who are you?');
    await page.keyboard.press('Enter');
    await answer(page, 'mock answer to: Who are you?').waitFor();
    await page.keyboard.type('And now?');
    await page.keyboard.press('Enter');
    await answer(page, 'mock answer to: And now?').waitFor();

    await answer(other.page, 'mock answer to: And now?').waitFor();
    expect(await said(page).count()).toBe(4);
    expect(await said(other.page).count()).toBe(4);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByText('2 turns').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('mock answer to: And now?').waitFor();
    expect([...faults, ...other.faults]).toEqual([]);
  });

  it('keeps what is typed while a message is on its way', async () => {
    const id = await begin('dana', 'plain');
    const { page, faults } = await signedIn('dana', `/chat/${id}`);
    const gate = Promise.withResolvers<void>();
    await page.route('**/messages', async (route) => {
      await gate.promise;
      await route.continue();
    });
    const field = page.getByLabel('Message');
    await field.fill('first');
    await page.keyboard.press('Enter');
    await page.keyboard.type(' and more');
    gate.resolve();
    await answer(page, 'mock answer to: first').waitFor();

    await expect.poll(() => field.inputValue()).toBe(' and more');
    expect(faults).toEqual([]);
  });

  it('says whom a turn waits for, and shows the answer when they have signed', async () => {
    const id = await begin('dana', 'release');
    const { page, faults } = await signedIn('dana', `/chat/${id}`);
    await page.getByLabel('Message').fill('release 9');
    await page.keyboard.press('Enter');
    await page.getByText('The answer waits for people.').waitFor();
    await page.getByRole('link', { name: 'Look at what is asked' }).waitFor();

    const { turns } = await served.ask<{ readonly turns: readonly { readonly job_id: string }[] }>(
      'dana',
      `/conversations/${id}`,
    );
    const gate = `${turns[0]?.job_id}:writer`;
    for (const person of ['qa-1', 'ops-1'] as const) {
      const { items } = await served.ask<{
        readonly items: readonly { readonly id: string; readonly gate_id: string; readonly role: string }[];
      }>(person, '/inbox');
      const item = items.find((one) => one.gate_id === gate && one.role === person.slice(0, -2));
      await served.ask(person, `/review/${item?.id}/resolve`, { outcome: 'approve', comment: '' });
    }

    await page.getByText('mock answer to: release 9').waitFor();
    expect(await page.getByText('The answer waits for people.').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('lets a reader read what is shared, says why nothing more, and fits on a phone', async () => {
    const id = await begin('dana', 'plain', true);
    await served.say('dana', id, `a word ${'x'.repeat(400)}`);
    const { page, faults } = await signedIn('reader', `/chat/${id}`);
    await page.getByText(/your key lacks the scope serve:run/).waitFor();
    await page.getByText(/mock answer to: a word/).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await expect(served.say('reader', id, 'no')).rejects.toThrow('403');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await tooWide(page)).toBe(0);

    const mine = await begin('dana', 'plain');
    const { page: foreign } = await signedIn('qa-1', `/chat/${mine}`);
    await foreign.getByRole('alert').waitFor();
    expect(faults).toEqual([]);
  });
});
