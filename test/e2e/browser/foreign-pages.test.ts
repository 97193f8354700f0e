import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AttackedServer, startAttacked } from './attacked-server.js';
import { startBrowser, type TestBrowser } from './browser.js';
import { type PageSource, reboundName, serveHostilePage } from './hostile-server.js';
import { everyRequest, type PageRequest } from './requests.js';

const WAIT = { timeout: 120_000, interval: 250 };
const EVIL = 'evil.example';

/** What a page got to see. */
interface Read {
  readonly how: string;
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

let kit: AttackedServer;
let browser: TestBrowser;
let hostile: PageSource;
/** Every path in every method. */
let requests: readonly PageRequest[];
/** Those of them that a route takes: the pages after the first one try these. */
let routed: readonly PageRequest[];
beforeAll(async () => {
  [kit, browser, hostile] = await Promise.all([startAttacked(), startBrowser([EVIL]), serveHostilePage()]);
  requests = everyRequest(kit.ids);
  routed = requests.filter(({ isRouted }) => isRouted);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hostile?.close();
  await kit?.close();
});

async function openedPage(url: string): Promise<Page> {
  const page = await browser.page();
  onTestFinished(() => page.context().close());
  await page.goto(url);
  return page;
}

const call = (page: Page, of: 'attack' | 'submitForms', at: string): Promise<unknown> => page.evaluate(`${of}(${at})`);

/** Tries it all from a page; gives what the page has read and what the server answered. */
async function attacked(page: Page, base: string, all: readonly PageRequest[]) {
  kit.forget();
  const at = `${JSON.stringify(base)}, ${JSON.stringify(all)}`;
  const { tried, read } = (await call(page, 'attack', at)) as {
    readonly tried: number;
    readonly read: readonly Read[];
  };
  const before = kit.answered().length;
  const forms = (await call(page, 'submitForms', at)) as number;
  await vi.waitFor(() => expect(kit.answered().length).toBeGreaterThanOrEqual(before + forms), WAIT);
  const frames = (await page.evaluate('framesRead()')) as readonly string[];
  return { tried, forms, read, frames, answered: kit.answered() };
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

describe('a page that is not ours, in a real browser, and a server without authentication', () => {
  it('does nothing and reads nothing from another port of this machine', async () => {
    const state = kit.state();
    const page = await openedPage(`http://127.0.0.1:${hostile.port}/`);
    const { tried, forms, read, frames, answered } = await attacked(page, kit.url, requests);
    expect(tried).toBeGreaterThan(2 * requests.length);
    expect(answered.length).toBeGreaterThanOrEqual(forms);
    expect(read).toEqual([]);
    expect(frames).toEqual([]);
    expect(answered.filter(({ method, status }) => changing.has(method) && status !== 403)).toEqual([]);
    expect(kit.state()).toEqual(state);
  });

  it('does nothing and reads nothing from another site', async () => {
    const state = kit.state();
    const page = await openedPage(`http://${EVIL}:${hostile.port}/`);
    const { read, frames, answered } = await attacked(page, kit.url, routed);
    expect(read).toEqual([]);
    expect(frames).toEqual([]);
    expect(answered.filter(({ status }) => status !== 403)).toEqual([]);
    expect(kit.state()).toEqual(state);
  });

  it('does nothing and reads a refusal alone under a name that was rebound to this machine', async () => {
    const state = kit.state();
    const name = await reboundName(hostile.port, kit.port);
    onTestFinished(name.close);
    const base = `http://${EVIL}:${name.port}`;
    const page = await openedPage(`${base}/`);
    name.rebind();
    const { read, answered } = await attacked(page, base, routed);
    expect(read.filter(({ status }) => status !== 403)).toEqual([]);
    const reported = read.filter(({ text }) => text !== '');
    expect(reported.length).toBeGreaterThan(routed.length);
    expect(reported.filter(({ text }) => JSON.parse(text).code !== 'host-refused')).toEqual([]);
    expect(answered.filter(({ status }) => status !== 403)).toEqual([]);
    expect(kit.state()).toEqual(state);
  });

  // The control: the same requests mean something when no page sends them.
  it('leaves curl and the command line as they were', async () => {
    const before = kit.state();
    const outcomes: Record<string, number> = {};
    const refused: string[] = [];
    for (const request of routed) {
      const { method, path, body, pattern } = request;
      const answer = await kit.ask(
        method,
        path,
        method === 'GET' || method === 'DELETE' ? undefined : JSON.parse(body),
      );
      outcomes[`${method} ${pattern}`] = answer.status;
      if (answer.status === 403) refused.push(((await answer.json()) as { readonly code: string }).code);
      else await answer.body?.cancel();
    }
    expect(refused.filter((code) => /^(host|origin)-refused$/.test(code))).toEqual([]);
    const reached = Object.entries(outcomes).filter(([key, status]) => !key.startsWith('GET') && status < 300);
    expect(reached.length).toBeGreaterThan(10);
    expect(kit.state()).not.toEqual(before);
  });
});
