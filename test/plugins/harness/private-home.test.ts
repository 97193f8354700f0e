import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPrivateHome } from '../../../plugins/harness/src/launch/private-home.js';
import { adapterOf, bundledSpec } from './replay.js';

const { home: CODEX } = adapterOf(bundledSpec('codex')).launch;
if (CODEX === null) throw new Error('codex has no folder of its own');

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-home-test-')));
  mkdirSync(join(base, '.codex'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(base, '.codex', name), text);
const open = (env: Readonly<Record<string, string>> = { HOME: base }) =>
  openPrivateHome(CODEX, { directory: join(base, 'session'), env });
const settings = (): string => readFileSync(join(base, 'session', 'config.toml'), 'utf8');

it('links the login and copies the settings without what one run leaves for the next', async () => {
  write('auth.json', '{}');
  write(
    'config.toml',
    'model = "m"\n[model_providers.own]\nbase_url = "http://x"\n[projects."/w"]\ntrust_level = "trusted"\n[[hooks.PreToolUse]]\nmatcher = "*"\n',
  );
  write('hooks.json', '{}');

  expect(await open()).toEqual({ ok: true, env: { CODEX_HOME: join(base, 'session') } });
  expect(readlinkSync(join(base, 'session', 'auth.json'))).toBe(join(base, '.codex', 'auth.json'));
  expect(settings()).toContain('base_url = "http://x"');
  expect(settings()).not.toMatch(/trusted|hooks|projects/);
  expect(() => statSync(join(base, 'session', 'hooks.json'))).toThrow();
  expect(statSync(join(base, 'session')).mode & 0o777).toBe(0o700);
});

it('is filled anew for the next launch, and keeps what the session left', async () => {
  write('config.toml', 'model = "one"\n');
  await open();
  mkdirSync(join(base, 'session', 'sessions'));
  writeFileSync(join(base, 'session', 'config.toml'), 'trust = "forged"\n');
  write('config.toml', 'model = "two"\n');

  expect(await open()).toMatchObject({ ok: true });
  expect(settings()).toBe('model = "two"\n');
  expect(statSync(join(base, 'session', 'sessions')).isDirectory()).toBe(true);
});

it('takes the folder that the variable names, and needs neither login nor settings', async () => {
  mkdirSync(join(base, 'other'));
  writeFileSync(join(base, 'other', 'config.toml'), 'model = "other"\n');

  await open({ HOME: base, CODEX_HOME: join(base, 'other') });
  expect(settings()).toBe('model = "other"\n');
  expect(await open()).toMatchObject({ ok: true });
  expect(settings().trim()).toBe('');
});

it('shows nothing of settings that cannot be read', async () => {
  write('config.toml', 'key = "sk-secret\n');
  const opened = await open();
  expect(opened).toMatchObject({ ok: false, message: expect.stringContaining('is not TOML') });
  expect(JSON.stringify(opened)).not.toContain('sk-secret');
});
