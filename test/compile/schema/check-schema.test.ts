import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';
import { PATTERN_WORDS } from '../../../src/compile/schema/pattern-words.js';
import type { SchemaKind } from '../../../src/compile/schema/schema-kind.js';
import { renderDiagnostics } from '../../../src/text/diagnostics/diagnostics-pretty.js';

const HEAD: Readonly<Record<string, string>> = {
  Workspace: 'metadata: { id: a, name: A }\n',
  Topology: 'metadata: { name: a, version: 1.0.0 }\n',
  Archetype:
    'metadata: { id: a, name: A, description: Ten characters. }\nprovenance: { authored_by: human, version: 1.0.0 }\nrole: worker\n',
  Skill:
    'metadata: { id: a, name: A, description: Ten characters. }\nprovenance: { authored_by: human, version: 1.0.0 }\ncategory: capability\n',
  Trigger: 'metadata: { id: a, name: A }\n',
  EvalSet: 'metadata: { id: a }\ntarget: t\n',
};

/** Diagnostics of a document of a kind, each with the text that it underlines. */
function check(kind: SchemaKind, body: string, head = HEAD[kind] ?? '') {
  const text = kind === 'ApprovalPolicy' ? body : `apiVersion: kit/v1\nkind: ${kind}\n${head}${body}`;
  const { parsed } = parseSource({ path: 'a.yaml', text });
  if (parsed === null) throw new Error('the example does not parse');
  return checkSchema(kind, parsed.value, parsed).map((diagnostic) => ({
    code: diagnostic.code,
    pointer: diagnostic.pointer,
    message: diagnostic.message,
    help: diagnostic.help,
    marked: text.slice(diagnostic.span?.start ?? 0, diagnostic.span?.end ?? 0),
  }));
}

const ROOT = 'agents: { root: { id: r, role: root } }\n';

describe('what the schemas accept beyond the corpus', () => {
  test.each<[string, SchemaKind, string]>([
    [
      'an archetype with skills beside defaults',
      'Archetype',
      'defaults: {}\nskills: [a, pack:b, { abstract: { category: decision } }]\n',
    ],
    [
      'an archetype executor with on_in_doubt and keys of its own',
      'Archetype',
      'defaults: {}\nexecutor: { kind: harness, ref: x, on_in_doubt: ask, extra: 1 }\n',
    ],
    [
      'a topology with locks, input_schema and output_schema',
      'Topology',
      `${ROOT}locks: [c]\ninput_schema: { type: string }\noutput_schema: s.json\n`,
    ],
    ['a topology whose output_schema is null', 'Topology', `${ROOT}output_schema: null\n`],
    ['the inline cron form', 'Trigger', 'topology: t\nschedule: "0 2 * * *"\n'],
    ['the inline cron form with its type', 'Trigger', 'type: cron\ntopology: t@1.0.0\nschedule: "0 2 * * *"\n'],
    ['the inline webhook form', 'Trigger', 'type: webhook\ntopology: t\nsecret: HOOK\n'],
    ['versions in targets', 'Trigger', 'type: manual\ntargets: [t@1.2.3]\n'],
    ['an unquoted off', 'Workspace', 'context_compression: { backend: off }\n'],
    [
      'the keys of this project',
      'Workspace',
      'storage: { journal_days: 0, audit: { retention_days: 365 } }\nserver: { public_url: "https://x", jobs: { recover: all, shutdown_seconds: 0 }, signal: { url: "https://y", credentials_ref: z } }\ngovernance: { provider: mock, require_identified_author: true }\n',
    ],
    [
      'destructive effects and what is done in doubt',
      'Workspace',
      'mcp_servers: [{ id: s, transport: http, endpoint: "https://x", headers: { A: b }, effects: { t: destructive }, on_in_doubt: { t: ask }, permission_overrides: { t: strict } }]\ncommand_packs: [{ id: p, commands: [{ id: c, argv: [x], effects: destructive, on_in_doubt: fail }] }]\n',
    ],
    [
      'promote_when on a route',
      'Workspace',
      'server: { canary: { routes: [{ topology: t, versions: [{ version: 1.0.0, weight: 50 }, { version: 1.1.0, weight: 50 }], promote_when: { min_runs: 1 } }] } }\n',
    ],
    [
      'a policy that expires',
      'ApprovalPolicy',
      'rules: [{ scope: "a:b", roles: [r], quorum: any, covers: [/plan] }]\nexpires_after: 72h\nremind_before: 1h\non_expiry: escalate\nescalate_to: [boss]\n',
    ],
    [
      'an agent skill in doubt',
      'Skill',
      'implementation: { type: agent, topology: t, effects: destructive, on_in_doubt: ask }\n',
    ],
    ['provenance on an eval set', 'EvalSet', 'cases: []\nprovenance: { anything: 1 }\n'],
  ])('%s', (_name, kind, body) => {
    expect(check(kind, body)).toEqual([]);
  });
});

describe('sentences', () => {
  test('an unknown field underlines its key and asks for the one that was meant', () => {
    expect(check('Topology', `${ROOT}lokcs: []\n`)).toEqual([
      {
        code: 'schema.unknown-field',
        pointer: '',
        message: 'unknown field `lokcs`',
        help: 'did you mean `locks`?',
        marked: 'lokcs',
      },
    ]);
  });

  test('a misspelt required field is one report, not two', () => {
    expect(check('Topology', 'agnets: { root: { id: r, role: root } }\n')).toMatchObject([
      { code: 'schema.unknown-field', help: 'did you mean `agents`?' },
    ]);
  });

  test('a field that was removed names what replaces it', () => {
    expect(check('Workspace', 'notifications: []\n')[0]?.help).toContain('webhook sink');
    expect(check('Topology', `${ROOT}stages: []\n`)[0]?.help).toContain('funnel');
  });

  test.each(['__proto__', 'constructor', 'toString'])('an unknown field called %s is one like any other', (field) => {
    expect(check('Skill', `"${field}": 1\n`)).toContainEqual(
      expect.objectContaining({ message: `unknown field \`${field}\``, help: expect.stringMatching(/^known here: /) }),
    );
  });

  test('a misspelt word asks for the one that was meant, in any case of letters', () => {
    expect(check('Workspace', 'governance: { provider: Mock }\n')).toMatchObject([
      {
        code: 'schema.enum-mismatch',
        message: '`provider` must be `agt`, `mock` or `custom`, found `Mock`',
        help: 'did you mean `mock`?',
        marked: 'Mock',
      },
    ]);
  });

  test.each([
    ['a quoted number', 'server: { port: "80" }', '`port` must be a whole number, found a string', 'remove the quotes'],
    ['a yes', 'gates: { auto_resume: yes }', '`auto_resume` must be true or false, found a string', 'write true'],
    [
      'a bare version number',
      'command_packs: [{ id: p, requires: [{ binary: b, version: 1.5 }], commands: [{ id: c, argv: [x] }] }]',
      '`version` must be a string, found a number',
      'put the value in quotes',
    ],
    [
      'a text for a list',
      'mcp_servers: [{ id: s, transport: stdio, command: mcp }]',
      '`command` must be a list, found a string',
      'write a list: [mcp]',
    ],
    ['an empty value', 'server:', '`server` must be a mapping, found nothing', 'write a value, or remove the key'],
    [
      'a fraction',
      'storage: { journal_days: 1.5 }',
      '`journal_days` must be a whole number, found a number',
      undefined,
    ],
  ])('%s says what was expected and how to write it', (_name, body, message, help) => {
    expect(check('Workspace', `${body}\n`)).toMatchObject([{ code: 'schema.type-mismatch', message, help }]);
  });

  test.each([
    ['a command of a pack', 'command_packs: [{ id: p, commands: [{ id: c, argv: [x, "{credential.key}"] }] }]'],
    ['a tool server', 'mcp_servers: [{ id: s, transport: stdio, command: [x, "--key={credential.key}"] }]'],
  ])('%s takes no secret on its command line, where every process list shows it', (_name, body) => {
    expect(check('Workspace', `${body}\n`)).toMatchObject([
      { code: 'schema.pattern-mismatch', message: expect.stringContaining('process lists') },
    ]);
  });

  test.each(['2.40', '~2.40', '>=new', '>= '])('the version %j of a binary is not a comparison', (version) => {
    const [found] = check(
      'Workspace',
      `command_packs: [{ id: p, requires: [{ binary: b, version: "${version}" }], commands: [{ id: c, argv: [x] }] }]\n`,
    );

    expect(found).toMatchObject({ code: 'schema.pattern-mismatch', message: expect.stringContaining('">=2.40"') });
  });

  test.each([
    ['s3 without a bucket', '{ backend: s3 }', 'backend `s3` stores into a bucket'],
    ['a bucket beside the database', '{ backend: database, bucket: b }', 'belong to backend `s3`'],
    ['a region without a backend', '{ region: r }', 'belong to backend `s3`'],
    ['a plugin without its name', '{ backend: plugin }', 'backend `plugin` names its store'],
    ['a configuration that no plugin reads', '{ backend: s3, bucket: b, config: {} }', 'belong to backend `plugin`'],
    ['half a key', '{ backend: s3, bucket: b, access_key_ref: a }', 'secret_key_ref'],
  ])('a store of artifacts refuses %s and says why', (_name, block, why) => {
    const [first] = check('Workspace', `storage: { artifacts: ${block} }\n`);

    expect(`${first?.message} ${first?.help}`).toContain(why);
  });

  test('the failures of the variant that was meant are reported, not those of the others', () => {
    expect(check('Skill', 'implementation: { type: command, pack: p, comand: c }\n')).toMatchObject([
      { code: 'schema.unknown-field', pointer: '/implementation', help: 'did you mean `command`?' },
    ]);
    expect(check('Skill', 'implementation: { type: mcp-tool, server: s, tool: t }\n')).toMatchObject([
      {
        code: 'schema.variant-mismatch',
        pointer: '/implementation/type',
        help: 'did you mean `mcp_tool`?',
        marked: 'mcp-tool',
      },
    ]);
    expect(check('Trigger', 'type: manual\ntargets: [{ pipeline: p, emti: e }]\n')).toMatchObject([
      { help: 'did you mean `emit`?' },
    ]);
  });

  test('fields that exclude each other point at both', () => {
    const body =
      'server: { auth: { provider: api_key, config: { keys: [{ key_ref: env:A, client_id: c, tier: run, scopes: [x] }] } } }\n';

    expect(check('Workspace', body)).toMatchObject([
      {
        code: 'schema.other',
        message: expect.stringContaining('`tier` and `scopes` exclude each other'),
        marked: 'scopes',
      },
    ]);
    expect(check('Archetype', 'defaults: { skills: [] }\nskills: []\n')).toMatchObject([
      { message: '`skills` stands both inside `defaults` and beside it' },
    ]);
  });

  test('a conditional field says on what condition', () => {
    expect(check('Trigger', 'type: cron\ntargets: [t]\n')).toMatchObject([
      {
        code: 'schema.required-field',
        message: 'required field `config` is missing: a cron trigger has an expression',
      },
    ]);
  });

  test('a child is leader or worker and the top agent is root, one report each', () => {
    expect(
      check('Topology', 'agents: { root: { id: r, role: worker, children: [{ id: c, role: boss }] } }\n'),
    ).toMatchObject([
      { code: 'schema.const-mismatch', pointer: '/agents/root/role' },
      {
        code: 'schema.enum-mismatch',
        pointer: '/agents/root/children/0/role',
        message: '`role` must be `leader` or `worker`, found `boss`',
      },
    ]);
  });

  test('an id with capitals is shown as it could be written', () => {
    expect(check('Topology', 'agents: { root: { id: My_Agent, role: root } }\n')[0]?.help).toBe('write `my-agent`');
    // Of what only an archetype may write no other spelling is offered: there is no skill of that
    // name.
    for (const key of ['skills', 'skills_additional']) {
      const grant = check('Topology', `agents: { root: { id: a, role: root, ${key}: ['pack:workspace'] } }\n`);
      expect(grant[0]?.help).toMatch(/^name the skills one by one, or let an archetype grant them/);
    }
  });

  test('all problems of a document come at once, in the order of the text', () => {
    const found = check('Workspace', 'team: { id: X }\nserver: { port: 70000 }\nnonsense: 1\n');

    expect(found.map(({ code }) => code)).toEqual(['schema.pattern-mismatch', 'schema.range', 'schema.unknown-field']);
  });
});

describe('values that may be secret', () => {
  test('a literal where a reference belongs is not repeated', () => {
    const body =
      'server: { auth: { provider: api_key, config: { keys: [{ key_ref: sk-live-123, client_id: c }] } } }\n';

    expect(JSON.stringify(check('Workspace', body).map(({ message, help }) => [message, help]))).not.toContain(
      'sk-live-123',
    );
  });

  test.each([
    [
      'a literal key',
      'server: { auth: { provider: api_key, config: { keys: [{ client_id: c, key_ref: sk-live-123 }] } } }\n',
    ],
    [
      'a value among the credentials',
      'credentials:\n  a:\n    source: env\n    config: { env: A }\n    value: sk-live-123\n',
    ],
    ['a field with the name of a secret', 'server:\n  api_token: sk-live-123\n'],
  ])('the line of %s is shown without it', (_name, body) => {
    const text = `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: a, name: A }\n${body}`;
    const { parsed } = parseSource({ path: 'a.yaml', text });
    if (parsed === null) throw new Error('the example does not parse');
    const rendered = renderDiagnostics(checkSchema('Workspace', parsed.value, parsed), new Map([['a.yaml', text]]), {
      color: false,
      width: 100,
    });

    expect(rendered).toContain('***');
    expect(rendered).not.toContain('sk-live-123');
  });

  test('an interpolated value is shown as its reference', () => {
    const reference = ['$', '{SECRET_THING}'].join('');
    const text = `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: a, name: A }\ngovernance: { provider: "${reference}" }\n`;
    const { parsed } = parseSource({ path: 'a.yaml', text });
    if (parsed === null) throw new Error('the example does not parse');
    const value = { ...parsed.value, governance: { provider: 'hunter2' } };

    expect(checkSchema('Workspace', value, parsed)).toMatchObject([
      { message: `\`provider\` must be \`agt\`, \`mock\` or \`custom\`, found \`${reference}\`` },
    ]);
  });
});

test('every pattern of the schemas has words', () => {
  const folder = new URL('../../../schemas/kinds/', import.meta.url);
  const texts = globSync('*.schema.json', { cwd: folder.pathname }).map((name) =>
    readFileSync(new URL(name, folder), 'utf8'),
  );
  const patterns = texts.flatMap((text) =>
    [...text.matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)].map((found): string => JSON.parse(found[1] ?? '""')),
  );

  expect(patterns.length).toBeGreaterThan(8);
  expect([...new Set(patterns)].sort()).toEqual(Object.keys(PATTERN_WORDS).sort());
});
