import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkAdapter } from '../../../src/app/doctor/checks/workspace.js';
import { missingLogin } from '../../../src/boot/doctor/harness-login.js';
import type { JsonObject } from '../../../src/domain/json.js';

const home = mkdtempSync(join(tmpdir(), 'kit-login-'));
afterAll(() => rmSync(home, { recursive: true }));

const spec: JsonObject = {
  auth: {
    default: 'subscription',
    modes: { api_key: { env: {} }, subscription: { credential_paths: ['~/.coder', '~/.local/share/coder'] } },
  },
};
const missing = (config: JsonObject, env: NodeJS.ProcessEnv = { HOME: home }, ref = 'coder'): string | null => {
  const executor = { kind: 'harness', ref, config, onInDoubt: 'ask' } as const;
  return missingLogin({ id: 'coder', spec, agents: [{ executor }] }, env);
};

it('names the login that an agent begins with and that is not there', () => {
  expect(missing({})).toBe('~/.coder');
  mkdirSync(join(home, '.coder'));
  expect(missing({})).toBe('~/.local/share/coder');
  mkdirSync(join(home, '.local/share/coder'), { recursive: true });
  expect(missing({})).toBeNull();
});

it('says nothing of an agent with a key, of another program, or where HOME is not known', () => {
  const empty = { HOME: join(home, 'empty') };
  expect(missing({}, empty)).toBe('~/.coder');
  expect(missing({ auth_mode: 'api_key' }, empty)).toBeNull();
  expect(missing({ env: ['CODER_HOME'] }, empty)).toBeNull();
  expect(missing({}, empty, 'other')).toBeNull();
  expect(missing({}, {})).toBeNull();
  expect(missingLogin({ id: 'coder', spec: {}, agents: [] }, empty)).toBeNull();
});

it('looks for a login where XDG_DATA_HOME has put it', () => {
  const moved = join(home, 'moved');
  mkdirSync(join(home, '.coder'), { recursive: true });
  expect(missing({}, { HOME: home, XDG_DATA_HOME: moved })).toBe(join(moved, 'coder'));
  mkdirSync(join(moved, 'coder'), { recursive: true });
  expect(missing({}, { HOME: home, XDG_DATA_HOME: moved })).toBeNull();
});

it('is warned of before a run, unless the program itself is not there', () => {
  const facts = {
    id: 'coder',
    binary: 'coder',
    path: '/bin/coder',
    topology: 'fix',
    untrusted: null,
    unverified: null,
  };
  const warned = checkAdapter('/w', { ...facts, login: '~/.coder' });

  expect(warned).toMatchObject({ status: 'warn', found: 'its login ~/.coder is not there' });
  expect(warned.fix).toBe('Log in with `coder` once, as the user who runs kit.');
  expect(checkAdapter('/w', { ...facts, path: null, login: '~/.coder' })).toMatchObject({ status: 'fail' });
  expect(checkAdapter('/w', { ...facts, login: null })).toMatchObject({ status: 'ok' });
});
