import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/triggers/src/webhook.js';
import { KitError } from '../../../src/domain/errors.js';
import type { Secrets } from '../../../src/domain/extension-points.js';
import type { DeliveryVerdict } from '../../../src/domain/ports/triggers.js';
import { createTestContext } from '../../../src/domain/testing.js';

const SECRET = 'a-long-shared-secret';

const secretsOf = (entries: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): Secrets => ({
  credential: async (ref) => {
    const value = entries[ref];
    if (value !== undefined) return value;
    throw new KitError('KIT_CREDENTIAL_UNRESOLVED', `the workspace has no credential "${ref}"`, {
      data: { missing: 'entry' },
    });
  },
  env: (name) => env[name] ?? null,
});

const create = (auth: Record<string, string>, secrets: Secrets = secretsOf({ hook: SECRET })) =>
  contribution.create({ auth: { credentials_ref: 'hook', ...auth } }, { ...createTestContext(), secrets });

type Headers = Readonly<Record<string, string>>;

async function verdict(
  auth: Record<string, string>,
  headers: Headers,
  body: string | Uint8Array = '',
  secrets?: Secrets,
): Promise<DeliveryVerdict['kind'] | undefined> {
  const type = await create(auth, secrets);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return (await type.verify?.({ headers, body: bytes }))?.kind;
}

const signed = (body: string | Uint8Array): string =>
  `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

describe('a webhook trigger', () => {
  it("takes GitHub's published example", async () => {
    const secrets = secretsOf({ hook: "It's a Secret to Everybody" });
    const headers = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    expect(await verdict({ method: 'hmac' }, headers, 'Hello, World!', secrets)).toBe('verified');
    expect(await verdict({ method: 'hmac' }, headers, 'Hello, World', secrets)).toBe('refused');
  });

  it('verifies a signature over bytes that are not text', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(await verdict({ method: 'hmac' }, { 'x-hub-signature-256': signed(body) }, body)).toBe('verified');
    expect(await verdict({ method: 'hmac' }, { 'x-hub-signature-256': signed(body.toReversed()) }, body)).toBe(
      'refused',
    );
  });

  it('takes upper-case hex, and the header that its file names', async () => {
    expect(
      await verdict({ method: 'hmac' }, { 'x-hub-signature-256': `sha256=${signed('x').slice(7).toUpperCase()}` }, 'x'),
    ).toBe('verified');
    expect(await verdict({ method: 'hmac', header: 'X-Signature' }, { 'x-signature': signed('x') }, 'x')).toBe(
      'verified',
    );
    expect(await verdict({ method: 'hmac', header: 'X-Signature' }, { 'x-hub-signature-256': signed('x') }, 'x')).toBe(
      'refused',
    );
  });

  it.each([
    ['no signature', {}],
    ['an empty one', { 'x-hub-signature-256': '' }],
    ['one without its prefix', { 'x-hub-signature-256': signed('x').slice(7) }],
    ['another digest', { 'x-hub-signature-256': `sha1=${signed('x').slice(7, 47)}` }],
    ['one that is cut', { 'x-hub-signature-256': signed('x').slice(0, -1) }],
    ['one with more behind it', { 'x-hub-signature-256': `${signed('x')}00` }],
    ['one that is not hex', { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` }],
    ['one of another body', { 'x-hub-signature-256': signed('y') }],
  ])('refuses %s', async (_what, headers) => {
    expect(await verdict({ method: 'hmac' }, headers as Headers, 'x')).toBe('refused');
  });

  it.each([
    ['bearer', { authorization: `Bearer ${SECRET}` }, 'verified'],
    ['bearer', { authorization: `bearer ${SECRET}` }, 'verified'],
    ['bearer', { authorization: SECRET }, 'refused'],
    ['bearer', { authorization: 'Bearer ' }, 'refused'],
    ['bearer', { authorization: `Bearer ${SECRET}x` }, 'refused'],
    ['bearer', { authorization: `Basic ${SECRET}` }, 'refused'],
    ['api_key', { 'x-api-key': SECRET }, 'verified'],
    ['api_key', { 'x-api-key': `${SECRET} ` }, 'refused'],
    ['api_key', { 'x-api-key': '' }, 'refused'],
    ['api_key', {}, 'refused'],
  ])('%s with %o is %s', async (method, headers, expected) => {
    expect(await verdict({ method }, headers as Headers)).toBe(expected);
  });

  it('takes another header for bearer and api_key too', async () => {
    expect(await verdict({ method: 'bearer', header: 'X-Auth' }, { 'x-auth': `Bearer ${SECRET}` })).toBe('verified');
    expect(await verdict({ method: 'api_key', header: 'X-Gitlab-Token' }, { 'x-gitlab-token': SECRET })).toBe(
      'verified',
    );
  });

  it('tries the environment variable of a name that is not an entry', async () => {
    const secrets = secretsOf({}, { HOOK_SECRET: SECRET });
    expect(
      await verdict({ method: 'api_key', credentials_ref: 'HOOK_SECRET' }, { 'x-api-key': SECRET }, '', secrets),
    ).toBe('verified');
    expect(
      await (await create({ method: 'hmac', credentials_ref: 'HOOK_SECRET' }, secrets)).ready({ workspaceRoot: '/w' }),
    ).toBeNull();
  });

  it('says which secret is missing, and verifies nothing without it', async () => {
    const missing = secretsOf({});
    const type = await create({ method: 'hmac' }, missing);
    expect(await type.ready({ workspaceRoot: '/w' })).toContain('`hook`');
    for (const method of ['hmac', 'bearer', 'api_key']) {
      const headers = {
        'x-hub-signature-256': `sha256=${createHmac('sha256', '').update('x').digest('hex')}`,
        authorization: 'Bearer ',
        'x-api-key': '',
      };
      expect(await verdict({ method }, headers, 'x', missing)).toBe('unavailable');
    }
  });

  it('puts no variable in the place of an entry that cannot be resolved', async () => {
    const broken: Secrets = {
      credential: async () =>
        Promise.reject(
          new KitError('KIT_CREDENTIAL_UNRESOLVED', 'credential "hook" needs the variable X, which is not set'),
        ),
      env: () => SECRET,
    };
    expect(await verdict({ method: 'api_key' }, { 'x-api-key': SECRET }, '', broken)).toBe('unavailable');
  });

  it('verifies nothing when it declares no auth', async () => {
    const type = await contribution.create({ path: '/anything' }, createTestContext());
    expect(type.verify).toBeUndefined();
    expect(await type.ready({ workspaceRoot: '/w' })).toBeNull();
  });
});
