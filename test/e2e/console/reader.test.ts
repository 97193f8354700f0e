import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { goTo, visits } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
beforeAll(async () => {
  const trigger = `apiVersion: kit/v1
kind: Trigger
metadata: { id: nightly, name: Nightly }
type: manual
targets: [plain]
`;
  const files = { ...openWorkspace(), 'triggers/nightly.yaml': trigger };
  [served, browser] = await Promise.all([serveConsole(files), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/** Buttons that only show something else. */
const LOOKS = /^(Sign out|Keys|\?|Next|Show|a day|a week|30 days|everything|Save these rows|Try again)/;

it('a reader sees no button that does something, reads why, and the server refuses it all the same', async () => {
  const run = await served.parked('a release that a reader sees');
  const { items } = await served.ask<{ readonly items: readonly { readonly id: string }[] }>('qa-1', '/inbox');
  const item = items[0]?.id ?? '';
  for (const value of ['euro', 'yen'])
    await served.ask('dana', '/memory', { subject: 'billing', attribute: 'currency', value });
  const { quarantine } = await served.ask<{ readonly quarantine: readonly { readonly id: string }[] }>(
    'dana',
    '/memory/quarantine',
  );
  const shared = { topology: 'plain', shared: true };
  const { id: talk } = await served.ask<{ readonly id: string }>('dana', '/conversations', shared);
  /** A page, why nothing can be done there, and what its buttons would ask of the server. */
  const places: readonly (readonly [string, RegExp, readonly (readonly [string, object])[]])[] = [
    [
      `/items/${encodeURIComponent(item)}`,
      /lacks the scope/,
      [[`/review/${encodeURIComponent(item)}/resolve`, { outcome: 'approve', comment: '' }]],
    ],
    [
      `/runs/${run}`,
      /You may look at runs, not act on them: your key lacks the scope serve:run/,
      [
        [`/jobs/${run}/stop`, {}],
        [`/jobs/${run}/resume`, {}],
        [`/jobs/${run}/retry`, {}],
      ],
    ],
    [`/gates/${encodeURIComponent(`${run}:writer`)}`, /Nothing of it waits for you/, []],
    [
      '/topologies/plain',
      /You may look at runs, not start them: your key lacks the scope serve:run/,
      [
        ['/run/plain', { input: 'no' }],
        ['/canary/plain/promote', {}],
        ['/canary/plain/rollback', {}],
      ],
    ],
    [
      '/triggers',
      /You may look at triggers, not fire them: your key lacks the scope serve:run/,
      [['/triggers/nightly/fire', {}]],
    ],
    [
      '/memory',
      /your key lacks the scope serve:run/,
      [
        ['/memory', { subject: 'a', attribute: 'b', value: 'c' }],
        [`/memory/quarantine/${quarantine[0]?.id}/resolve`, { accept: true }],
      ],
    ],
    ['/chat', /not begin one: your key lacks the scope serve:run/, [['/conversations', shared]]],
    [
      `/chat/${talk}`,
      /not talk: your key lacks the scope serve:run/,
      [[`/conversations/${talk}/messages`, { message: 'no' }]],
    ],
  ];
  const { page, faults } = await visits(browser, served).signedIn('reader');
  for (const [path, why, asked] of places) {
    await goTo(page, path);
    await page.getByText(why).first().waitFor();
    const buttons = await page.getByRole('button').allTextContents();
    expect([path, buttons.filter((text) => !LOOKS.test(text.trim()))]).toEqual([path, []]);
    expect([path, await page.locator('main').getByRole('textbox').count()]).toEqual([path, 0]);
    for (const [route, body] of asked) await expect(served.ask('reader', route, body), route).rejects.toThrow('403');
  }
  expect(faults).toEqual([]);
});
