import type { RunProof } from './proof.js';

export const SINK_ENV = { ONE_TOKEN: 'the first token', TWO_TOKEN: 'the second token' } as const;

const SINKS = 'Workspace.events';
const entry = (env: string) => ({ source: 'env', config: { env } });
const credentials = { 'Workspace.credentials': { one: entry('ONE_TOKEN'), two: entry('TWO_TOKEN') } };

/**
 * What proves the keys of `events`, each with receivers below this address. One event comes to each
 * sink.
 */
export function sinkProofs(address: string): readonly RunProof[] {
  const types = ['executor.message'];
  const url = `${address}/one`;
  const webhook = { sink: 'webhook', url, credentials_ref: 'one', types };
  const plugin = { sink: 'plugin', provider_id: 'webhook', config: { url }, types };
  const given = { ...credentials, [SINKS]: [webhook] };
  return [
    { key: `${SINKS}.*.sink`, at: SINKS, a: [webhook], b: [{ sink: 'stdout', types }], given: credentials },
    { key: `${SINKS}.*.url`, a: url, b: `${address}/two`, given },
    { key: `${SINKS}.*.credentials_ref`, a: 'one', b: 'two', given },
    { key: `${SINKS}.*.types`, a: types, b: ['input.rejected'], given },
    {
      key: `${SINKS}.*.provider_id`,
      a: 'webhook',
      b: 'nobody',
      given: { [SINKS]: [plugin] },
      refuses: 'KIT_WORKSPACE_INVALID',
    },
    { key: `${SINKS}.*.config`, a: { url }, b: { url: `${address}/two` }, given: { [SINKS]: [plugin] } },
  ];
}

/** The same for `server.signal`. */
export function signalProofs(address: string): readonly RunProof[] {
  const given = { ...credentials, 'Workspace.server.signal': { url: `${address}/one`, credentials_ref: 'one' } };
  return [
    { key: 'Workspace.server.signal.url', a: `${address}/one`, b: `${address}/two`, given },
    { key: 'Workspace.server.signal.credentials_ref', a: 'one', b: 'two', given },
  ];
}

/** The keys that are proven, wherever the receivers listen. */
export const SINK_PROOFS: readonly RunProof[] = [
  ...sinkProofs('http://127.0.0.1:1'),
  ...signalProofs('http://127.0.0.1:1'),
];
