import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBrowser } from '../browser/browser.js';
import { openWorkspace } from './open-workspace.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { goTo, visits } from './visit.js';

/** `KIT_TEST_SHOTS=DIR`: the pictures of every page are written there. */
const FOLDER = process.env.KIT_TEST_SHOTS ?? '';
const WIDTHS = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const QUALITY = 55;

/** Something for each page to show; name of a picture -> path of its page. */
async function fill(served: ServedConsole): Promise<Readonly<Record<string, string>>> {
  const ended = async (input: string): Promise<string> => {
    const { id } = await served.ask<{ readonly id: string }>('dana', '/run/plain', { input });
    await served.until(async () =>
      expect(await served.ask('dana', `/jobs/${id}`)).toMatchObject({ status: 'completed' }),
    );
    return id;
  };
  const parked = await served.parked('Release 7 to production, with the new invoice layout');
  const [one, two] = [await ended('What changed in release 7?'), await ended('What changed in release 8?')];
  for (const value of ['invoices are in euro', 'invoices are in yen'])
    await served.ask('dana', '/memory', { subject: 'billing', attribute: 'currency', value });
  const { id: talk } = await served.ask<{ readonly id: string }>('qa-1', '/conversations', { topology: 'plain' });
  await served.say('qa-1', talk, 'Which releases wait for me?');
  const set = (word: string): string => `apiVersion: kit/v1
kind: EvalSet
metadata: { id: greetings }
target: plain
cases:
  - { id: greets, input: hello, expect: { contains: [mock] } }
  - { id: is-polite, input: good evening, expect: { contains: [${word}] } }
`;
  for (const word of ['mock', 'please']) {
    served.write('evals/greetings.yaml', set(word));
    await served.kit(['eval', '--json']);
  }
  const { items } = await served.ask<{ readonly items: readonly { readonly id: string }[] }>('qa-1', '/inbox');
  const { reports } = await served.ask<{ readonly reports: readonly { readonly name: string }[] }>(
    'qa-1',
    '/evals/reports',
  );
  return {
    inbox: '',
    item: `/items/${encodeURIComponent(items[0]?.id ?? '')}`,
    gate: `/gates/${encodeURIComponent(`${parked}:writer`)}`,
    runs: '/runs',
    run: `/runs/${parked}`,
    beside: `/runs/${one}/beside/${two}`,
    topologies: '/topologies',
    topology: '/topologies/release',
    chat: '/chat',
    conversation: `/chat/${talk}`,
    triggers: '/triggers',
    fleet: '/fleet',
    memory: '/memory',
    evals: '/evals',
    report: `/evals/${reports[0]?.name ?? ''}`,
    usage: '/usage',
    log: '/log',
  };
}

it.skipIf(FOLDER === '')(
  'takes a picture of every page, wide and on a phone, dark and light',
  {
    timeout: 600_000,
  },
  async () => {
    mkdirSync(FOLDER, { recursive: true });
    const [served, browser] = await Promise.all([serveConsole(openWorkspace()), startBrowser()]);
    try {
      const pages = await fill(served);
      const { page, faults } = await visits(browser, served).signedIn('qa-1');
      const devtools = await page.context().newCDPSession(page);
      for (const [name, path] of Object.entries(pages)) {
        await goTo(page, path);
        for (const [width, size] of Object.entries(WIDTHS))
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize(size);
            await page.emulateMedia({ colorScheme });
            const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
            writeFileSync(join(FOLDER, `${name}-${width}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
          }
      }
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await served.close();
    }
  },
);
