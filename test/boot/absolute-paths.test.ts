import { expect, it } from 'vitest';
import { withAbsolutePaths } from '../../src/boot/absolute-paths.js';

it('takes relative places from the current directory, and leaves every other variable alone', () => {
  const env = { KIT_STATE_DIR: 'state', XDG_CONFIG_HOME: '../config', KIT_DATA_DIR: '', PATH: 'bin' };

  expect(withAbsolutePaths(env, '/work/here')).toEqual({
    KIT_STATE_DIR: '/work/here/state',
    XDG_CONFIG_HOME: '/work/config',
    KIT_DATA_DIR: '',
    PATH: 'bin',
  });
});

it('takes KIT_SIGNING_KEY for a path unless it holds a key', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';

  expect(withAbsolutePaths({ KIT_SIGNING_KEY: 'key.pem' }, '/here')).toEqual({ KIT_SIGNING_KEY: '/here/key.pem' });
  expect(withAbsolutePaths({ KIT_SIGNING_KEY: pem }, '/here')).toEqual({ KIT_SIGNING_KEY: pem });
});

it('gives the environment itself where nothing is relative, so that it stays that of the process', () => {
  const env = { KIT_STATE_DIR: '/state' };

  expect(withAbsolutePaths(env, '/here')).toBe(env);
});
