import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { TestBrowser } from '../browser/browser.js';
import { KEYS, type Person, type ServedConsole } from './served-console.js';

/** A page, and what it must never do: run what it should not, or load from elsewhere. */
export interface Watched {
  readonly page: Page;
  readonly faults: string[];
}

export interface Visits {
  /** `path` below `/console`. */
  readonly open: (path?: string) => Promise<Watched>;
  readonly signedIn: (person: Person, path?: string) => Promise<Watched>;
}

export function visits(browser: TestBrowser, served: Pick<ServedConsole, 'url'>): Visits {
  const open = async (path = ''): Promise<Watched> => {
    const page = await browser.page();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/40[013]/.test(message.text())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(served.url) && !request.url().startsWith('blob:')) faults.push(request.url());
    });
    await page.goto(`${served.url}/console${path}`);
    return { page, faults };
  };
  return {
    open,
    signedIn: async (person, path = '') => {
      const opened = await open(path);
      await opened.page.getByLabel('API key').fill(KEYS[person]);
      await opened.page.keyboard.press('Enter');
      await opened.page.getByRole('button', { name: 'Sign out' }).waitFor();
      return opened;
    },
  };
}

/** Leads somebody who is signed in to another page, and waits until it is drawn. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`new Promise((drawn) => {
    history.pushState(null, '', ${JSON.stringify(`/console${path}`)});
    requestAnimationFrame(() => requestAnimationFrame(drawn));
  })`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** What axe holds against a page, with the element. `rules`: only these of its rules. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const only = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } };
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(only)})`)) as {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  };
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The same in light and in dark, where all that differs is how well it is seen. */
export async function violationsInBoth(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...(await violations(page)), ...dark.map((one) => `dark ${one}`)];
}

/** Pixels by which a page is wider than the window: then a phone scrolls sideways. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
