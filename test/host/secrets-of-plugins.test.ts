import { expect, it } from 'vitest';
import { createCredentialService } from '../../src/host/secrets.js';
import { nodeFiles } from '../../src/system/files.js';

it('masks what a configuration names as a key, whatever the name of the variable', () => {
  const { secretsFor, masker } = createCredentialService({
    env: { LLM_LOGIN: 'login-12345678', LLM_HOST: 'host-12345678' },
    files: nodeFiles,
    workspaceRoot: '/',
    entry: () => null,
    plugins: () => {
      throw new Error('no plugin is asked');
    },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const names = ['LLM_LOGIN', 'LLM_HOST'];
  const secrets = secretsFor({ id: 'acme.model', plugin: 'acme' }, names, ['LLM_LOGIN']);
  expect(names.map(secrets.env)).toEqual(['login-12345678', 'host-12345678']);
  expect(masker.mask('login-12345678 at host-12345678')).toBe('[MASKED] at host-12345678');
});
