import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKitError, KitError } from '../../src/domain/errors.js';
import type { PluginHost } from '../../src/domain/extension-points.js';
import type { CredentialEntry } from '../../src/domain/workspace.js';
import { createCredentialService } from '../../src/host/secrets.js';
import { isSecretVariable } from '../../src/host/secrets-names.js';
import type { CredentialDeps } from '../../src/host/secrets-refusal.js';
import { credentialRefs } from '../../src/lib/credential-refs.js';
import { nodeFiles } from '../../src/system/files.js';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const noPlugins: Pick<PluginHost, 'find' | 'resolve'> = {
  find: () => null,
  resolve: () => Promise.reject(new Error('there is none')),
};

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kit-secrets-'));
  await writeFile(join(root, 'token.txt'), '  file-secret-1\n');
  await writeFile(join(root, 'empty.txt'), ' \n');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const entry = (
  source: string,
  config: CredentialEntry['config'],
  providerId: string | null = null,
): CredentialEntry => ({
  source,
  config,
  providerId,
});

function service(entries: Readonly<Record<string, CredentialEntry>>, part: Partial<CredentialDeps> = {}) {
  return createCredentialService({
    env: { TOKEN: 'env-secret-1', EMPTY: '', HOME: '/home/ann', API_KEY: 'key-12345678' },
    files: nodeFiles,
    workspaceRoot: root,
    entry: (ref) => entries[ref] ?? null,
    plugins: () => noPlugins,
    log: quiet,
    ...part,
  });
}

async function refusal(promise: Promise<unknown>): Promise<KitError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isKitError(error)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

describe('credential sources env and file', () => {
  it('reads the variable that config.env or config.var names', async () => {
    const secrets = service({
      a: entry('env', { env: 'TOKEN' }),
      b: entry('env', { var: 'TOKEN' }),
      c: entry('env', { env: 'TOKEN', var: 'TOKEN' }),
    });
    for (const ref of ['a', 'b', 'c']) expect(await secrets.credential(ref)).toBe('env-secret-1');
  });

  it('refuses two different variables, none, and one that is unset or empty', async () => {
    const secrets = service({
      two: entry('env', { env: 'TOKEN', var: 'OTHER' }),
      none: entry('env', {}),
      unset: entry('env', { env: 'MISSING_VAR' }),
      empty: entry('env', { env: 'EMPTY' }),
    });
    expect((await refusal(secrets.credential('two'))).message).toContain('config.env is TOKEN, config.var is OTHER');
    expect((await refusal(secrets.credential('none'))).hint).toContain('config.env');
    expect((await refusal(secrets.credential('unset'))).message).toContain('MISSING_VAR');
    expect((await refusal(secrets.credential('empty'))).code).toBe('KIT_CREDENTIAL_UNRESOLVED');
  });

  it('reads a file, relative to the workspace or absolute, and trims it', async () => {
    const secrets = service({
      relative: entry('file', { path: 'token.txt' }),
      absolute: entry('file', { path: join(root, 'token.txt') }),
    });
    expect(await secrets.credential('relative')).toBe('file-secret-1');
    expect(await secrets.credential('absolute')).toBe('file-secret-1');
  });

  it('names a file that is missing or empty', async () => {
    const secrets = service({
      missing: entry('file', { path: 'no-such.txt' }),
      empty: entry('file', { path: 'empty.txt' }),
      none: entry('file', {}),
    });
    expect((await refusal(secrets.credential('missing'))).message).toContain('no-such.txt');
    expect((await refusal(secrets.credential('empty'))).message).toContain('empty');
    expect((await refusal(secrets.credential('none'))).message).toContain('no file');
  });

  it('expands variables in the configuration of an entry', async () => {
    const secrets = service(
      { a: entry('file', { path: `\${BASE}/token.txt` }), b: entry('file', { path: `\${NOPE}/x` }) },
      { env: { BASE: root } },
    );
    expect(await secrets.credential('a')).toBe('file-secret-1');
    expect((await refusal(secrets.credential('b'))).message).toContain('NOPE');
  });

  it('names a credential that the workspace does not have', async () => {
    expect((await refusal(service({}).credential('ghost'))).message).toContain('"ghost"');
  });

  it('reads afresh each time', async () => {
    const env: Record<string, string> = { TOKEN: 'first-value' };
    const secrets = service({ a: entry('env', { env: 'TOKEN' }) }, { env });
    expect(await secrets.credential('a')).toBe('first-value');
    env.TOKEN = 'second-value';
    expect(await secrets.credential('a')).toBe('second-value');
  });
});

describe('credential sources of plugins', () => {
  const host = (resolve: (name: string) => unknown): Pick<PluginHost, 'find' | 'resolve'> => ({
    find: (_, name) => ({
      point: 'credentialSources',
      id: `acme.${name}`,
      name,
      title: '',
      plugin: 'acme',
      effects: [],
      configSchema: null,
      adapters: [],
      mount: null,
    }),
    resolve: (async () => ({ resolve: async (name: string) => resolve(name) })) as never,
  });

  it.each(['hashicorp-vault', 'aws-secrets-manager', 'gcp-secret-manager', 'azure-key-vault', 'oauth'])(
    'refuses %s by name while no plugin brings it',
    async (source) => {
      const error = await refusal(service({ a: entry(source, { address: 'x' }) }).credential('a'));
      expect(error.code).toBe('KIT_CREDENTIAL_UNRESOLVED');
      expect(error.message).toContain(`secrets provider "${source}"`);
    },
  );

  it('refuses source plugin by the name of its provider', async () => {
    expect((await refusal(service({ a: entry('plugin', {}, 'acme-vault') }).credential('a'))).message).toContain(
      '"acme-vault"',
    );
  });

  it('resolves once a plugin is there, and masks what it gave', async () => {
    const secrets = service(
      { a: entry('hashicorp-vault', {}) },
      { plugins: () => host((name) => `vault-value-of-${name}`) },
    );
    expect(await secrets.credential('a')).toBe('vault-value-of-a');
    expect(secrets.masker.mask('got vault-value-of-a')).toBe('got [MASKED]');
  });

  it('does not repeat what a failing plugin says, but keeps a refusal in its own words', async () => {
    const leaky = host(() => {
      throw new Error('bad answer: {"token":"hunter2hunter2"}');
    });
    const error = await refusal(service({ a: entry('hashicorp-vault', {}) }, { plugins: () => leaky }).credential('a'));
    expect(`${error.message} ${error.hint} ${JSON.stringify(error.data)} ${String(error.cause)}`).not.toContain(
      'hunter2',
    );
    const spoken = host(() => {
      throw new KitError('KIT_CREDENTIAL_UNRESOLVED', 'the vault is sealed');
    });
    expect(
      (await refusal(service({ a: entry('hashicorp-vault', {}) }, { plugins: () => spoken }).credential('a'))).message,
    ).toBe('the vault is sealed');
  });

  it.each([[''], [null], [42]])('refuses the answer %j', async (answer) => {
    expect(
      (
        await refusal(
          service({ a: entry('hashicorp-vault', {}) }, { plugins: () => host(() => answer) }).credential('a'),
        )
      ).message,
    ).toContain('no value');
  });
});

describe('render', () => {
  const entries = { api: entry('env', { env: 'TOKEN' }), other: entry('file', { path: 'token.txt' }) };

  it('fills variables and credentials', async () => {
    expect(await service(entries).render(`\${HOME}/x \${NOPE:-dflt} Bearer {credential.api}`)).toBe(
      '/home/ann/x dflt Bearer env-secret-1',
    );
    expect(await service(entries).renderAll({ A: '{credential.api}', B: 'plain' })).toEqual({
      A: 'env-secret-1',
      B: 'plain',
    });
  });

  it('keeps the escape and takes variables from the lookup of the workspace where there is one', async () => {
    expect(
      await service(entries, { lookup: (name) => (name === 'HOME' ? '/srv' : undefined) }).render(`\${HOME} $\${HOME}`),
    ).toBe(`/srv \${HOME}`);
  });

  it('reads nothing of a value as a template', async () => {
    const tricky = service(entries, { env: { TOKEN: `{credential.other} \${HOME}`, HOME: '{credential.other}' } });
    expect(await tricky.render(`\${HOME} {credential.api}`)).toBe(`{credential.other} {credential.other} \${HOME}`);
  });

  it('refuses what nothing defines, by name', async () => {
    const error = await refusal(service(entries).render(`\${NOPE}`));
    expect(error).toMatchObject({ code: 'KIT_CREDENTIAL_UNRESOLVED', hint: 'Set NOPE in the environment.' });
    expect((await refusal(service(entries).render('{credential.ghost}'))).message).toContain('"ghost"');
  });

  it('refuses a credential that credentials_ref does not name', async () => {
    expect(await service(entries).render('{credential.api}', ['api'])).toBe('env-secret-1');
    expect((await refusal(service(entries).render('{credential.other}', ['api']))).message).toContain(
      'credential.other',
    );
  });

  it('lists the credentials of a text', () => {
    expect(credentialRefs(`a {credential.x} \${credential.y} {credential.z-1}{credential.x}`)).toEqual(['x', 'z-1']);
  });
});

describe('masking', () => {
  it('learns credentials and secret variables, and no ordinary ones', async () => {
    const secrets = service({ api: entry('env', { env: 'TOKEN' }) });
    await secrets.render(`\${HOME} \${API_KEY} {credential.api}`);
    expect(secrets.masker.mask('/home/ann key-12345678 env-secret-1')).toBe('/home/ann [MASKED] [MASKED]');
  });

  it('fills the masker of every run that lives, with what was known and with what comes', async () => {
    const secrets = service({ api: entry('env', { env: 'TOKEN' }), file: entry('file', { path: 'token.txt' }) });
    await secrets.credential('api');
    const run = secrets.maskerForRun();
    expect(run.masker.mask('env-secret-1')).toBe('[MASKED]');
    await secrets.credential('file');
    expect(run.masker.mask('file-secret-1')).toBe('[MASKED]');
    run.release();
    await secrets.render(`\${API_KEY}`);
    expect(run.masker.mask('key-12345678')).toBe('key-12345678');
  });

  it('warns about a value that is too short to mask, without the value', async () => {
    const warnings: string[] = [];
    const secrets = service(
      { a: entry('env', { env: 'PIN' }) },
      { env: { PIN: 'x9z' }, log: { ...quiet, warn: (message) => void warnings.push(message) } },
    );
    await secrets.credential('a');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain('x9z');
  });

  it('tells secret variables by name or by a password in a URL', () => {
    expect(
      ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'client_secret', 'KEY2'].filter(
        (name) => !isSecretVariable(name, 'x'),
      ),
    ).toEqual([]);
    expect(
      ['HOME', 'PATH', 'PWD', 'GIT_AUTHOR_NAME', 'KEYBOARD'].filter((name) => isSecretVariable(name, 'x')),
    ).toEqual([]);
    expect(isSecretVariable('DATABASE_URL', 'postgres://kit:pw@db/kit')).toBe(true);
    expect(isSecretVariable('DATABASE_URL', 'postgres://db/kit')).toBe(false);
  });
});

describe('secretsFor', () => {
  it('gives a contribution only the variables that its manifest declares', () => {
    const secrets = service({}).secretsFor({ id: 'acme.model', plugin: 'acme' }, ['API_KEY', 'EMPTY', 'ABSENT']);
    expect(secrets.env('API_KEY')).toBe('key-12345678');
    expect(secrets.env('EMPTY')).toBeNull();
    expect(secrets.env('ABSENT')).toBeNull();
    expect(() => secrets.env('TOKEN')).toThrow(/manifest does not declare/);
  });
});
