import { describe, expect, it } from 'vitest';
import { type Referring, referencesOf } from '../../../src/app/submit/references-of.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { LinkedSkill } from '../../../src/domain/linked-skill.js';
import type { LinkedServer } from '../../../src/domain/tool-server.js';
import { commandSkill } from '../../support/run-world.js';

const NOTHING: Referring = { providers: {}, servers: {}, skills: {}, adapters: {} };

const provider = (config: JsonObject): Referring => ({
  ...NOTHING,
  providers: { local: { id: 'local', contribution: 'acme.chat', config } },
});
const server = (config: JsonObject, credentialsRef: string | null = null): Referring => ({
  ...NOTHING,
  servers: {
    files: {
      id: 'files',
      source: 'mcp',
      config,
      credentialsRef,
      permission: 'cautious',
      permissionOverrides: {},
      effects: {},
      onInDoubt: {},
    } satisfies LinkedServer,
  },
});
const skillOf = (implementation: LinkedSkill['implementation']): LinkedSkill => ({
  ...commandSkill('look', []),
  implementation,
});
const adapter = (spec: JsonObject): Referring => ({
  ...NOTHING,
  adapters: { coder: { spec, digest: 'd'.repeat(64), source: 'bundled' } },
});

describe('what a run refers to', () => {
  it.each<[string, Referring, readonly string[]]>([
    ['the key of a provider', provider({ api_key_env: 'LOCAL_KEY' }), ['variable:LOCAL_KEY']],
    ['variables of its address', provider({ base_url: `\${BASE}/v1` }), ['variable:BASE']],
    [
      'references of its headers, at any depth',
      provider({ headers: { a: '{credential.gate}', b: [`x \${TOKEN}`] } }),
      ['credential:gate', 'variable:TOKEN'],
    ],
    ['no variable that has a default', provider({ base_url: `\${BASE:-http://localhost}` }), []],
    ['no escaped variable', provider({ base_url: `$\${BASE}` }), []],
    ['a credential by its key', provider({ auth: { credentials_ref: 'vault' } }), ['credential:vault']],
    ['the program of a server', server({ command: ['mcp-files', '--root', '.'] }), ['program:mcp-files']],
    ['no program in a container', server({ command: ['mcp-files'], sandboxed: true }), []],
    ['no program of the workspace', server({ command: ['./bin/files'] }), []],
    ['the credential of a server', server({ endpoint: 'https://x' }, 'files'), ['credential:files']],
    ['the environment of a server', server({ env: { T: `\${T}` } }), ['variable:T']],
    ['no word of its command line', server({ command: ['m', `\${LATE}`] }), ['program:m']],
    [
      'the tool server that a skill calls',
      {
        ...NOTHING,
        skills: { look: skillOf({ type: 'mcp_tool', server: 'files', tool: 'read', arguments: {} }) },
      },
      ['server:files'],
    ],
    ['the program of an adapter', adapter({ launch: { command: ['claude', '-p'] } }), ['program:claude']],
    ['no place of kit itself', adapter({ launch: { command: ['{runtime.node}', 'x'] } }), []],
    ['no adapter in a container', adapter({ launch: { command: ['claude'] }, sandbox: { kind: 'container' } }), []],
  ])('%s', (_, snapshot, references) => {
    expect(Object.keys(referencesOf(snapshot))).toEqual(references);
  });

  it('is named once, with who uses it first', () => {
    const snapshot = { ...provider({ api_key_env: 'KEY' }), servers: server({ env: { K: `\${KEY}` } }).servers ?? {} };
    expect(referencesOf(snapshot)).toEqual({ 'variable:KEY': 'the provider local' });
  });
});
