import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCredentialService } from '../../src/host/secrets.js';
import { parseSecretReference } from '../../src/lib/secret-reference.js';
import { nodeFiles } from '../../src/system/files.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kit-reference-'));
  await writeFile(join(root, 'key'), '  the-secret-in-a-file\n');
  await writeFile(join(root, 'empty'), '\n');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const service = () =>
  createCredentialService({
    env: { NAME: 'the-secret-in-a-variable', EMPTY: '', HOME: root },
    files: nodeFiles,
    workspaceRoot: root,
    entry: (ref) => (ref === 'ops' ? { source: 'env', config: { env: 'NAME' }, providerId: null } : null),
    plugins: () => ({ find: () => null, resolve: () => Promise.reject(new Error('there is none')) }),
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });

test.each([
  ['env:NAME', 'the-secret-in-a-variable'],
  [' env: NAME ', 'the-secret-in-a-variable'],
  ['file:key', 'the-secret-in-a-file'],
  ['file:~/key', 'the-secret-in-a-file'],
  ['credentials:ops', 'the-secret-in-a-variable'],
])('the reference "%s" is resolved, and what it stands for is masked from then on', async (reference, value) => {
  const credentials = service();

  expect(await credentials.reference(reference)).toBe(value);
  expect(credentials.masker.mask(`it is ${value}`)).not.toContain(value);
});

test.each([
  ['env:GONE', 'the environment variable GONE is not set'],
  ['env:EMPTY', 'the environment variable EMPTY is not set'],
  ['file:gone', 'the file gone cannot be read'],
  ['file:empty', 'the file empty is empty'],
  ['credentials:gone', 'the workspace has no credential "gone"'],
  ['the-secret-itself', 'a secret is not given by reference'],
])('the reference "%s" is refused with what is missing', async (reference, message) => {
  await expect(service().reference(reference)).rejects.toMatchObject({ code: 'KIT_CREDENTIAL_UNRESOLVED', message });
});

test.each(['', 'env:', 'env:1X', 'env:A B', 'ENV:NAME', 'vault:x', 'plain'])('"%s" is not a reference', (text) => {
  expect(parseSecretReference(text)).toBeNull();
});
