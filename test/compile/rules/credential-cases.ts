import type { Sources } from '../../support/compile.js';
import { MAIN, workspace } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

const ws = (rest: string): Sources => ({ 'topologies/t.yaml': MAIN, 'workspace.yaml': workspace(rest) });
export const CREDENTIALS: readonly RuleCase[] = [
  {
    code: 'credentials.bad-config',
    at: 'workspace.yaml#/credentials/a/config',
    sources: ws('credentials: { a: { source: env, config: {} } }\n'),
  },
  {
    code: 'credentials.bad-config',
    at: 'workspace.yaml#/credentials/a/config',
    sources: ws('credentials: { a: { source: env, config: { env: A, var: B } } }\n'),
  },
  {
    code: 'credentials.other-ref',
    severity: 'warning',
    at: 'workspace.yaml#/command_packs/0/env/T',
    sources: ws(
      "credentials: { a: { source: env, config: { env: A } }, b: { source: env, config: { env: B } } }\ncommand_packs: [{ id: a, credentials_ref: a, env: { T: '{credential.b}' }, commands: [{ id: x, argv: [x] }] }]\n",
    ),
  },
  {
    code: 'credentials.unused-ref',
    severity: 'warning',
    at: 'workspace.yaml#/command_packs/0/credentials_ref',
    sources: ws(
      'credentials: { a: { source: env, config: { env: A } } }\ncommand_packs: [{ id: a, credentials_ref: a, commands: [{ id: x, argv: [x] }] }]\n',
    ),
  },
  {
    code: 'credentials.unused-ref',
    severity: 'warning',
    at: 'workspace.yaml#/mcp_servers/0/credentials_ref',
    sources: ws(
      'credentials: { a: { source: env, config: { env: A } } }\nmcp_servers: [{ id: a, transport: stdio, command: [x], credentials_ref: a }]\n',
    ),
  },
  {
    code: 'credentials.unknown-ref',
    at: 'workspace.yaml#/mcp_servers/0/env/T',
    sources: ws("mcp_servers: [{ id: a, transport: stdio, command: [x], env: { T: '{credential.none}' } }]\n"),
  },
  {
    code: 'credentials.unknown-ref',
    at: 'workspace.yaml#/server/auth/config/keys/0/key_ref',
    sources: ws(
      'server: { auth: { provider: api_key, config: { keys: [{ key_ref: "credentials:none", client_id: c }] } } }\n',
    ),
  },
  {
    code: 'credentials.unknown-ref',
    at: 'workspace.yaml#/storage/artifacts/access_key_ref',
    sources: ws(
      'credentials: { a: { source: env, config: { env: A } } }\nstorage: { artifacts: { backend: s3, bucket: b, access_key_ref: none, secret_key_ref: a } }\n',
    ),
  },
];
