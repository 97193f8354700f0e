import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LoginProvider, startLoginProvider } from '../../support/components/login-provider.js';
import { logIn, loginWorld } from './login-world.js';

let provider: LoginProvider;
beforeAll(async () => {
  provider = await startLoginProvider();
});
afterAll(() => provider.close());
beforeEach(async () => {
  await provider.behave({ ttl: 300, token: 'ok', registration: true, refreshTokens: true, delayMs: 0, holdMs: 0 });
});

const use = () => ({ name: 'notes', config: { endpoint: provider.endpoint } });
const WINDOW = { owner: null, windowS: 900 };

describe('before a run', () => {
  it('a token near its end is refreshed once, whoever begins how many runs at that moment', async () => {
    const world = loginWorld();
    const processes = await Promise.all(Array.from({ length: 5 }, () => world.open()));
    const [first] = processes;
    await logIn((first as (typeof processes)[0]).logins, provider.endpoint);
    const before = await provider.behave({ ttl: 3600, delayMs: 200 });
    const old = await first?.resolve('notes', use().config);

    await Promise.all(
      Array.from({ length: 200 }, (_, n) => processes[n % 5]?.prepare?.([use()], WINDOW) ?? Promise.resolve()),
    );

    expect((await provider.counts()).refresh).toBe(before.refresh + 1);
    const tokens = await Promise.all(processes.map((one) => one.resolve('notes', use().config)));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(old);
  });

  it('a token that holds for the window is left alone', async () => {
    const { logins, prepare } = await loginWorld().open();
    await provider.behave({ ttl: 3600 });
    await logIn(logins, provider.endpoint);
    const { token } = await provider.counts();

    await prepare?.([use()], WINDOW);

    expect((await provider.counts()).token).toBe(token);
  });

  it('a refresh that the provider refuses is never tried again, and names credential and owner', async () => {
    const world = loginWorld();
    const { logins, prepare } = await world.open();
    await logIn(logins, provider.endpoint);
    // Reuse: the provider takes a refresh token once.
    const entry = await world.vault.get({ kind: 'token', name: 'notes', owner: 'ada' });
    await prepare?.([use()], WINDOW);
    await world.vault.put({ kind: 'token', name: 'notes', owner: 'ada' }, entry?.value ?? {}, null);

    const refused = { code: 'KIT_CONSENT_REQUIRED', data: { credential: 'notes', owner: 'ada' } };
    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject(refused);
    const { token } = await provider.counts();
    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject(refused);

    expect((await provider.counts()).token).toBe(token);
    expect((await logins.list())[0]?.flaw).toContain('invalid_grant');
  });

  it('a provider that is away leaves a token that still holds, and fails one that does not', async () => {
    const world = loginWorld();
    const { logins, prepare } = await world.open();
    await logIn(logins, provider.endpoint);
    await provider.behave({ token: 'html' });

    await prepare?.([use()], WINDOW);
    world.pass(200_000);

    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject({ code: 'KIT_CREDENTIAL_UNRESOLVED' });
  });

  it('an answer that was lost is told of at the next start, and ends with a login', async () => {
    const world = loginWorld();
    const { logins, prepare } = await world.open();
    await logIn(logins, provider.endpoint);
    const key = { kind: 'token', name: 'notes', owner: 'ada' };
    const entry = await world.vault.get(key);
    await prepare?.([use()], WINDOW);
    // As a process leaves it that died between the answer and the commit.
    await world.vault.put(key, { ...entry?.value, askedAt: '2026-01-01T00:00:00.000Z' }, null);

    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject({ code: 'KIT_CONSENT_REQUIRED' });
    expect(world.warnings.join()).toContain('a refresh was begun before');
    const { token } = await provider.counts();
    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject({ code: 'KIT_CONSENT_REQUIRED' });
    expect((await provider.counts()).token).toBe(token);
  });

  it('a token without a refresh token may begin a run while it holds for 120 seconds', async () => {
    const world = loginWorld();
    await provider.behave({ refreshTokens: false });
    const { logins, prepare } = await world.open();
    const { login } = await logIn(logins, provider.endpoint);
    expect(login).toMatchObject({ hasRefreshToken: false, endsSoon: 'day' });

    await prepare?.([use()], WINDOW);
    world.pass(181_000);

    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject({ code: 'KIT_CONSENT_REQUIRED' });
    world.pass(120_000);
  });

  it('the owner is the only one who logged in, else the one that is written', async () => {
    const { logins, prepare, resolve } = await loginWorld().open();
    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject({ code: 'KIT_CONSENT_REQUIRED' });
    await provider.behave({ ttl: 3600 });
    await logIn(logins, provider.endpoint);
    await logIn(logins, provider.endpoint, { owner: 'bob' });

    await expect(prepare?.([use()], WINDOW)).rejects.toMatchObject({ code: 'KIT_CREDENTIAL_OWNER' });
    const ofBob = { ...use().config, owner: 'bob' };
    await prepare?.([{ name: 'notes', config: ofBob }], WINDOW);
    expect(await resolve('notes', ofBob)).not.toBe(await resolve('notes', { ...use().config, owner: 'ada' }));
  });

  it('a login for another endpoint is not used', async () => {
    const { logins, resolve } = await loginWorld().open();
    await logIn(logins, provider.endpoint);

    await expect(resolve('notes', { endpoint: 'https://elsewhere.example/mcp' })).rejects.toMatchObject({
      code: 'KIT_CONSENT_REQUIRED',
    });
  });
});

describe('a server that does not take the token of a run', () => {
  const atRun = async () => {
    const world = loginWorld();
    const [run, other] = [await world.open(), await world.open()];
    await logIn(run.logins, provider.endpoint);
    const sent = await run.resolve('notes', use().config);
    const refusal = { status: 401, challenge: null, carried: (value: string) => value === sent };
    return { world, run, other, sent, refusal };
  };

  it('has its say where the token is still the one that was sent', async () => {
    const { run, refusal } = await atRun();

    await expect(run.refused?.(use(), refusal)).rejects.toMatchObject({ code: 'KIT_CREDENTIAL_EXPIRED' });
  });

  it('is asked once more where another process has refreshed it meanwhile', async () => {
    const { run, other, sent, refusal } = await atRun();
    await other.prepare?.([use()], WINDOW);

    expect(await run.refused?.(use(), refusal)).toBe(true);
    expect(await run.resolve('notes', use().config)).not.toBe(sent);
  });

  it('is asked once more after a refresh that is under way, which is waited for and not repeated', async () => {
    const { run, other, sent, refusal, world } = await atRun();
    const before = await provider.behave({ holdMs: 300 });
    const refreshing = other.prepare?.([use()], WINDOW);
    await expect.poll(async () => (await provider.counts()).refresh).toBeGreaterThan(before.refresh);

    expect(await run.refused?.(use(), refusal)).toBe(true);
    expect(await run.resolve('notes', use().config)).not.toBe(sent);
    await refreshing;
    expect((await provider.counts()).refresh).toBe(before.refresh + 1);
    expect(world.warnings).toEqual([]);
  });

  it('... and so is a token that ended by its time while it is refreshed', async () => {
    const { run, other, sent, world } = await atRun();
    await provider.behave({ ttl: 3600, holdMs: 300 });
    const before = await provider.counts();
    world.pass(301_000);
    const refreshing = other.prepare?.([use()], WINDOW);
    await expect.poll(async () => (await provider.counts()).refresh).toBeGreaterThan(before.refresh);

    expect(await run.resolve('notes', use().config)).not.toBe(sent);
    await refreshing;
  });

  it('has its say where the process that refreshed it died', async () => {
    const { run, refusal, world } = await atRun();
    const key = { kind: 'token', name: 'notes', owner: 'ada' };
    const entry = await world.vault.get(key);
    await world.vault.put(key, { ...entry?.value, askedAt: '2026-01-01T00:00:00.000Z' }, null);

    await expect(run.refused?.(use(), refusal)).rejects.toMatchObject({ code: 'KIT_CREDENTIAL_EXPIRED' });
  });
});

it('who waits for another process that refreshes is told of it, once', async () => {
  const world = loginWorld();
  const { logins, prepare } = await world.open();
  await logIn(logins, provider.endpoint);
  const lease = await world.vault.lease('refresh ["notes","ada"]', 30_000);

  const waiting = prepare?.([use()], WINDOW);
  await expect.poll(() => world.warnings.length).toBeGreaterThan(0);
  await lease?.letGo();
  await waiting;

  expect(world.warnings).toEqual(['waiting for another process that refreshes this token']);
});
