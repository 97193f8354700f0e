import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { HOSTILE, HOSTILE_NAME, LURE, poisoned } from './hostile-text.js';
import { hostileWorkspace, type Place, spread } from './hostile-workspace.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { goTo, violationsInBoth, visits, type Watched } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
let places: readonly Place[];
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(hostileWorkspace()), startBrowser()]);
  places = await spread(served);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/** Someone signed in, whose browser tells of dialogs, refused loads and lures that were taken. */
async function watched(): Promise<Watched> {
  const visitor = await visits(browser, served).signedIn('qa-1');
  const { page, faults } = visitor;
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => faults.push(`popup: ${popup.url()}`));
  page.on('request', (request) => {
    // In a query, words of a person are asked for; as an address, a page was led there.
    if (new URL(request.url()).pathname === `/${LURE}`) faults.push(`loaded: ${request.url()}`);
  });
  await page.evaluate(`{
    globalThis.refused = [];
    document.addEventListener('securitypolicyviolation', (event) => refused.push(event.blockedURI));
  }`);
  return visitor;
}

/** An answer that refuses is shown as such. */
const unexpected = (faults: readonly string[]): readonly string[] =>
  faults.filter((fault) => !/^Failed to load resource: the server responded with a status of 4/.test(fault));

/** Opens all that is folded, until nothing of it is on its way. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(`document.querySelectorAll('main details').forEach((one) => { one.open = true })`);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** What acts, or leads to where pages must not: elements, attributes, addresses. */
const acting = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const found = [];
    const elements = 'script, iframe, object, embed, base, meta[http-equiv], link, style, form[action], template, video';
    for (const one of document.querySelectorAll('body ' + elements.replaceAll(', ', ', body '))) found.push(one.outerHTML);
    for (const one of document.body.querySelectorAll('*'))
      for (const { name, value } of one.attributes) {
        if (/^on|^(srcdoc|srcset|formaction|ping|background|poster)$/i.test(name)) found.push(name + '=' + value);
        if (!/^(src|href|xlink:href|action|data|cite)$/i.test(name)) continue;
        const { protocol, origin } = new URL(value, document.baseURI);
        const isLink = one.localName === 'a' && /^https?:$/.test(protocol);
        const isPicture = one.localName === 'img' && protocol === 'blob:';
        if (!isPicture && !isLink) found.push(name + '=' + value);
        if (isLink && origin !== location.origin && one.closest('.markdown') === null) found.push('leads to ' + value);
      }
    return found.concat(globalThis.refused, globalThis.hacked === undefined ? [] : ['hacked ' + hacked]);
  })()`);

it('what people, models and clients wrote is text on every page, which programs can read to the blind', {
  timeout: 300_000,
}, async () => {
  const { page, faults } = await watched();
  for (const { name, path, shows } of places) {
    await goTo(page, path);
    await openAll(page);
    await page.locator('main').filter({ hasText: shows }).waitFor();
    expect([name, await acting(page), unexpected(faults)]).toEqual([name, [], []]);
    expect(await violationsInBoth(page), name).toEqual([]);
  }
  await page.reload();
  await page.getByLabel('API key').waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
});

/** Answers of the server with hostile text behind every string. */
async function poison(route: Route): Promise<void> {
  const answer = await route.fetch();
  const text = await answer.text();
  const changed = (json: string): string => JSON.stringify(poisoned(JSON.parse(json)));
  const body = answer.headers()['content-type']?.includes('json')
    ? changed(text)
    : text.replaceAll(/^data: (\{.*\})$/gm, (_, json: string) => `data: ${changed(json)}`);
  await route.fulfill({ response: answer, body });
}

it('all that others write is text in every field that a page reads', { timeout: 300_000 }, async () => {
  const { page, faults } = await watched();
  const asked = /\/(inbox|gates|jobs|api\/topologies|conversations|triggers|fleet|memory|evals|usage|audit)\b/;
  let count = 0;
  await page.route(
    (url) => asked.test(url.pathname) && !url.pathname.startsWith('/console'),
    (route) => {
      count += 1;
      // A run that goes on has a stream without an end.
      return route.request().headers().accept?.includes('event-stream') ? route.fallback() : poison(route);
    },
  );
  for (const { name, path } of places) {
    await goTo(page, path);
    await openAll(page);
    expect([name, await acting(page), unexpected(faults)]).toEqual([name, [], []]);
  }
  expect(count).toBeGreaterThan(places.length);
});

it('an artifact of any type acts and loads nothing: markup, pictures, files with names', {
  timeout: 120_000,
}, async () => {
  const { page, faults } = await watched();
  const item = places.find(({ name }) => name === 'item')?.path ?? '';
  const patch = ['<img src=x onerror=globalThis.hacked=20>.svg', 'javascript:globalThis.hacked=21', '__proto__']
    .map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-<b>old</b>\n+${HOSTILE_NAME}\n`)
    .join('');
  let type = '';
  await page.route(
    (url) => url.pathname.startsWith('/inbox/'),
    async (route) => {
      const answer = await route.fetch();
      const asked = (await answer.json()) as { readonly artifact: object };
      const text = type.startsWith('image/p') || type === 'application/pdf' ? null : HOSTILE;
      const ref = `../run/${HOSTILE_NAME.replace(/[/%#]/g, encodeURIComponent)}`;
      const artifact = { ...asked.artifact, ref, name: HOSTILE_NAME, media_type: type, text };
      await route.fulfill({ response: answer, json: { ...asked, artifact, previous: null, diff: patch } });
    },
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>parent.hacked=22</script><image href="/${LURE}"/></svg>`;
  await page.route(
    (url) => url.pathname.startsWith('/artifacts/'),
    (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }),
  );
  const types = ['text/markdown', 'text/html', 'image/svg+xml', 'application/xhtml+xml', 'application/json'];
  for (type of [...types, 'image/png', 'application/pdf', HOSTILE_NAME]) {
    await goTo(page, '/usage');
    await goTo(page, item);
    await openAll(page);
    expect(await page.locator('figure.artifact').textContent(), type).toContain(HOSTILE_NAME);
    expect(await page.locator('.diff .file').count(), type).toBe(3);
    expect([type, await acting(page), unexpected(faults)]).toEqual([type, [], []]);
  }
});
