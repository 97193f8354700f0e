import { describe, expect, it } from 'vitest';
import { muteSinks } from '../../../src/app/serve/mute-sinks.js';
import type { CredentialEntry } from '../../../src/domain/workspace.js';

const env = (config: CredentialEntry['config']): CredentialEntry => ({ source: 'env', config, providerId: null });
const CREDENTIALS = new Map([
  ['channel', env({ env: 'CHANNEL_URL' })],
  ['older', env({ var: 'OLD_TOKEN' })],
  ['elsewhere', { source: 'vault', config: { vault_path: 'x' }, providerId: 'vault' }],
]);
const sink = (name: string, config: CredentialEntry['config']) => ({ sink: name, config, types: [] });
const SINKS = [
  sink('stdout', {}),
  sink('channel', { url_ref: 'channel', format: 'slack' }),
  sink('webhook', { url: 'https://hooks.example', credentials_ref: 'older' }),
  sink('webhook', { url: 'https://hooks.example', credentials_ref: 'elsewhere' }),
];

describe('the event sinks that can send nothing', () => {
  it('are named with the variable that is not set', () => {
    expect(muteSinks({ sinks: SINKS, credentials: CREDENTIALS }, () => false)).toEqual([
      'event sink channel#1 sends nothing: CHANNEL_URL of its credential channel is not set',
      'event sink webhook#2 sends nothing: OLD_TOKEN of its credential older is not set',
    ]);
  });

  it('are none where each variable is set', () => {
    expect(muteSinks({ sinks: SINKS, credentials: CREDENTIALS }, () => true)).toEqual([]);
  });
});
