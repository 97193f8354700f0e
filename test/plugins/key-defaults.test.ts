import { expect, test } from 'vitest';
import { decodeConfig as decodeS3 } from '../../plugins/artifacts/src/s3/config.js';
import { decodeConfig as decodeJwt } from '../../plugins/auth/src/jwt/config.js';
import { contribution as none } from '../../plugins/auth/src/none.js';
import { decodeAgtConfig } from '../../plugins/governance/src/agt-config.js';
import { parseAdapter } from '../../plugins/harness/src/adapter/parse.js';
import { readSettings } from '../../plugins/mcp/src/settings.js';
import { authOf } from '../../plugins/triggers/src/webhook/auth.js';
import { DEFAULTS } from '../../src/domain/generated/defaults.js';
import type { JsonObject } from '../../src/domain/json.js';
import { createTestContext } from '../../src/domain/testing.js';

const ADAPTER: JsonObject = {
  launch: { command: ['tool'] },
  stream: { format: 'jsonl' },
  event_map: [{ emit: [{ event: 'result' }] }],
};
const GATE: JsonObject = { protocol: 'claude-hook', tools: { edit: { kind: 'edit', subject: 'path' } } };
const CONTAINER: JsonObject = { kind: 'container', image: 'tool:1' };
const SERVER: JsonObject = { transport: 'stdio', command: ['serve'] };
const { identity, ...TOKENS } = DEFAULTS.ServerAuthConfig;
const AUTH: JsonObject = { method: 'hmac', credentials_ref: 'secret' };

/** Whom the provider `none` sees. */
const callersOf = async (config: JsonObject) => (await none.create(config, createTestContext({}))).identities;

/** A reader of a plugin, and what it is given beside the keys that have a default in the schema. */
const READERS: readonly (readonly [string, object, (keys: JsonObject) => unknown])[] = [
  [
    'the stream of an adapter',
    DEFAULTS['AdapterSpec.stream'],
    (keys) => parseAdapter({ ...ADAPTER, stream: { format: 'jsonl', ...keys } }),
  ],
  ['an adapter', DEFAULTS.AdapterSpec, (keys) => parseAdapter({ ...ADAPTER, ...keys })],
  ['the gate of an adapter', DEFAULTS.AdapterGate, (keys) => parseAdapter({ ...ADAPTER, gate: { ...GATE, ...keys } })],
  [
    'the place of an adapter',
    { kind: DEFAULTS.AdapterSandbox.kind },
    (sandbox) => parseAdapter({ ...ADAPTER, sandbox }),
  ],
  [
    'the container of an adapter',
    { network: DEFAULTS.AdapterSandbox.network },
    (keys) => parseAdapter({ ...ADAPTER, sandbox: { ...CONTAINER, ...keys } }),
  ],
  ['policies', { policy_language: DEFAULTS.WorkspaceGovernance.policy_language }, decodeAgtConfig],
  [
    'a tool server',
    { sandboxed: DEFAULTS.McpServer.sandboxed },
    (keys) => readSettings('files', { ...SERVER, ...keys }, '/workspace'),
  ],
  ['an S3 store', { prefix: DEFAULTS['Storage.artifacts'].prefix }, decodeS3],
  ['tokens', TOKENS, (keys) => decodeJwt({ issuer: 'https://id.example.com', ...keys })],
  ['callers that nobody checks', { identity }, callersOf],
  ['a webhook', DEFAULTS.WebhookAuth, (keys) => authOf({ auth: { ...AUTH, ...keys } })],
];

test.each(READERS)('%s: what is not written means what the schema of the kind says', async (_name, written, read) => {
  const unwritten = await read({});

  expect(await read({ ...written } as JsonObject)).toEqual(unwritten);
  expect(JSON.stringify(unwritten)).not.toContain('"ok":false');
});
