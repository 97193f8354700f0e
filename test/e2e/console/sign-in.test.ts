import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browse } from '../../support/components/browse-login.mjs';
import { startOidc, type TestOidc } from '../../support/components/oidc.js';
import { KIT, type KitHome, makeHome, runKit } from '../../support/kit-process.js';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { withBrowser } from '../login-scene.js';
import { atIssuer, kept, signingIn } from './at-issuer.js';
import { type ServedConsole, serveConsole } from './served-console.js';

let oidc: TestOidc;
let served: ServedConsole;
let browser: TestBrowser;
let home: KitHome;
beforeAll(async () => {
  [oidc, browser, home] = await Promise.all([startOidc(), startBrowser(), makeHome()]);
  served = await serveConsole(signingIn(oidc));
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await oidc?.close();
  await home?.remove();
});

describe('somebody with a link and an account at the issuer', { timeout: 120_000 }, () => {
  it('signs in there, is back at the page of the link, and decides', async () => {
    const answer = await fetch(`${served.url}/run/release`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await oidc.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'release 8 to production' }),
    });
    const { id } = (await answer.json()) as { readonly id: string };
    const page = await browser.page();
    await page.goto(`${served.url}/console/runs/${id}`);
    await page.getByRole('button', { name: /^Sign in at 127\.0\.0\.1:/ }).click();
    await atIssuer(page, 'qa-1');

    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url()).toBe(`${served.url}/console/runs/${id}`);
    expect(await kept(page)).toBe('["",{},{}]');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByText('release 8 to production').first().click();
    await page.getByRole('heading', { name: /Review as qa/ }).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page
      .getByText(/approved/i)
      .first()
      .waitFor();
  });

  it('who comes back to a sign-in that nobody began here gets nowhere', async () => {
    const page = await browser.page();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${served.url}/console/signed-in?code=stolen&state=made-up`);

    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Sign in again');
    expect(asked.filter((url) => url.includes('/auth/oidc/token'))).toEqual([]);
    expect(page.url()).toBe(`${served.url}/console`);
  });

  it('who cancels at the issuer reads that, and may paste a token all the same', async () => {
    const page = await browser.page();
    await page.goto(`${served.url}/console/fleet`);
    await page.getByRole('button', { name: /^Sign in at/ }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('did not sign you in');

    await page.getByRole('button', { name: 'Paste a token' }).click();
    await page.getByLabel('Token').fill(await oidc.token());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url()).toBe(`${served.url}/console/fleet`);
  });
});

describe('the route that ends a sign-in', () => {
  const VERIFIER = 'v'.repeat(43);
  const post = (body: object, origin?: string): Promise<Response> =>
    fetch(`${served.url}/auth/oidc/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
      body: JSON.stringify({ code: 'made-up', code_verifier: VERIFIER, ...body }),
    });
  const codeOf = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { readonly code: string; readonly detail: string }).code,
  ];

  it('takes no code for a page elsewhere, and none that came to an address elsewhere', async () => {
    const own = `${served.url}/console/signed-in`;
    expect(await codeOf(await post({ redirect_uri: own }, 'https://evil.example'))).toEqual([403, 'origin-refused']);
    expect(await codeOf(await post({ redirect_uri: own }, 'null'))).toEqual([403, 'origin-refused']);
    for (const elsewhere of [
      'https://evil.example/console/signed-in',
      `${served.url}/console/signed-in?x=1`,
      `${served.url}/console/../console/signed-in`,
      `${served.url}/hooks/signed-in`,
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:80/other',
      'javascript:alert(1)',
    ])
      expect([elsewhere, ...(await codeOf(await post({ redirect_uri: elsewhere })))]).toEqual([
        elsewhere,
        400,
        'login-failed',
      ]);
    const refused = await post({ redirect_uri: own, iss: oidc.issuer }, served.url);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('the issuer answers invalid_grant');
  });
});

describe('kit auth login', { timeout: 120_000 }, () => {
  it('opens a browser, waits for it at this machine, and keeps what it brought', async () => {
    const env = { ...home.env, ...withBrowser({ temp: home.path }) };
    const login = await runKit(['auth', 'login', served.url, '--json'], { env });

    expect(login.stderr).toContain('a browser was opened');
    expect(login.lines().at(-1)).toMatchObject({ mode: 'jwt', identity: 'alice', scopes: ['serve:read', 'serve:run'] });
    const file = join(env.XDG_CONFIG_HOME, 'kit', 'servers.json');
    expect(statSync(file).mode & 0o077).toBe(0);
    const [entry] = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, { readonly until: string }>);
    expect(Date.parse(entry?.until ?? '')).toBeGreaterThan(0);
    const status = await runKit(['auth', 'status'], { env });
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('as alice')]);
  });

  it('prints the address for a browser elsewhere, and takes the one that it ended at', async () => {
    const child = spawn(process.execPath, [KIT, 'auth', 'login', served.url, '--no-browser', '--json'], {
      env: home.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    for await (const line of createInterface({ input: child.stderr })) {
      if (!line.startsWith(oidc.issuer)) continue;
      child.stdin.end(await browse(line, { user: 'bob' }));
      break;
    }
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({ identity: 'bob' });
  });

  it('keeps nothing of the answer to another sign-in', async () => {
    const answer = await runKit(['auth', 'login', served.url, '--no-browser', '--json'], {
      env: home.env,
      stdin: 'http://127.0.0.1:1/callback?code=stolen&state=made-up\n',
    });

    expect(answer.code).toBe(2);
    expect(answer.stdout + answer.stderr).toContain('KIT_LOGIN_STATE');
  });
});
