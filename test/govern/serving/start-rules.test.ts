import { describe, expect, it } from 'vitest';
import {
  assertMayStart,
  isLoopback,
  listenAddress,
  type StartFacts,
  startRefusals,
  startWarnings,
} from '../../../src/govern/serving/start-rules.js';

const ROLES: StartFacts['roles'] = {
  digest: '',
  roles: [{ id: 'lead', members: ['alice'], scopes: [] }],
  identities: [{ id: 'alice', aliases: ['alice@acme.example'] }],
};
const NO_ROLES: StartFacts['roles'] = { digest: '', roles: [], identities: [] };

/** Starts on a loopback address without a word. */
const facts = (over: Partial<StartFacts> = {}): StartFacts => ({
  provider: 'none',
  host: '127.0.0.1',
  insecure: false,
  requireOnNonloopback: true,
  profile: 'standard',
  oauthKey: 'unset',
  corsOrigins: [],
  mcpServers: [],
  uncontainedHarnesses: [],
  linkedPlugins: [],
  identities: ['anonymous'],
  roles: NO_ROLES,
  ...over,
});
/** Starts under the profile production. */
const safe = (over: Partial<StartFacts> = {}): StartFacts =>
  facts({
    provider: 'api_key',
    profile: 'production',
    oauthKey: 'set',
    host: '0.0.0.0',
    identities: ['ci'],
    ...over,
  });

describe('the loopback rule', () => {
  it.each(['127.0.0.1', '::1', 'localhost', 'LOCALHOST', ''])('lets an open server bind "%s"', (host) => {
    expect(startRefusals(facts({ host }))).toEqual([]);
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '::',
    '127.0.0.2',
    '10.0.0.1',
    '192.168.1.4',
    'kit.example.org',
    '[::1]',
    'localhost.example.org',
  ])('refuses an open server on %s', (host) => {
    expect(startRefusals(facts({ host }))).toHaveLength(1);
  });

  it.each([
    ['another provider', { provider: 'api_key' }],
    ['--insecure', { insecure: true }],
    ['require_on_nonloopback: false', { requireOnNonloopback: false }],
    ['a loopback address', { host: '::1' }],
  ] as const)('is satisfied by %s', (_what, over) => {
    expect(startRefusals(facts({ host: '0.0.0.0', ...over }))).toEqual([]);
  });

  it('names the four ways out', () => {
    const [refusal] = startRefusals(facts({ host: '0.0.0.0' }));

    expect(refusal?.headline).toContain('0.0.0.0');
    expect(refusal?.ways.map((way) => /auth\.provider|bind|--insecure|require_on_nonloopback/.exec(way)?.[0])).toEqual([
      'auth.provider',
      'bind',
      '--insecure',
      'require_on_nonloopback',
    ]);
  });

  it('hands an empty address to the socket as loopback, because there it would be every address', () => {
    expect([listenAddress(''), listenAddress(' '), listenAddress('0.0.0.0')]).toEqual([
      '127.0.0.1',
      '127.0.0.1',
      '0.0.0.0',
    ]);
  });
});

describe('the profile production', () => {
  it('starts a server without a gap, and standard starts one with every gap but the open address', () => {
    expect(startRefusals(safe())).toEqual([]);
    expect(
      startRefusals(
        facts({
          corsOrigins: ['*'],
          insecure: true,
          mcpServers: [{ id: 'a', sandboxed: false }],
          uncontainedHarnesses: ['claude-code'],
          linkedPlugins: ['mine'],
        }),
      ),
    ).toEqual([]);
  });

  it.each([
    ['no authentication', { provider: 'none', host: '127.0.0.1' }, 'server.auth.provider is none'],
    ['--insecure', { insecure: true }, '--insecure is given'],
    ['no KIT_OAUTH_KEY', { oauthKey: 'unset' }, 'KIT_OAUTH_KEY is not set'],
    ['a KIT_OAUTH_KEY that is none', { oauthKey: 'malformed' }, 'KIT_OAUTH_KEY is not a key: 32 bytes in base64'],
    ['a wildcard origin', { corsOrigins: ['https://a.example', '*'] }, '--cors-origin *'],
    [
      'a server without a sandbox',
      { mcpServers: [{ id: 'files', sandboxed: false }] },
      'the MCP server files is not sandboxed',
    ],
  ] as const)('refuses %s alone', (_what, over, gap) => {
    const [refusal, ...more] = startRefusals(safe(over));

    expect(more).toEqual([]);
    expect(refusal?.gaps).toEqual([expect.stringContaining(gap)]);
    expect(refusal?.headline).toBe('the profile production has a gap');
  });

  it('lists all gaps at once, in one order, with the way back', () => {
    const all = facts({
      host: '0.0.0.0',
      profile: 'production',
      insecure: true,
      corsOrigins: ['*'],
      mcpServers: [
        { id: 'one', sandboxed: false },
        { id: 'fine', sandboxed: true },
        { id: 'two', sandboxed: false },
      ],
    });

    const [refusal] = startRefusals(all);

    expect(refusal?.gaps.map((gap) => gap.split(/[:;]/)[0])).toEqual([
      'server.auth.provider is none',
      '--insecure is given',
      'KIT_OAUTH_KEY is not set',
      '--cors-origin * lets every web page call the server',
      'the MCP server one is not sandboxed',
      'the MCP server two is not sandboxed',
    ]);
    expect(refusal?.ways).toEqual([expect.stringContaining('permissive profile')]);
  });

  it('starts beside harnesses and linked plugins, and warns of each; standard says nothing', () => {
    const forgers = { uncontainedHarnesses: ['claude-code', 'codex'], linkedPlugins: ['mine'] };

    expect(startRefusals(safe(forgers))).toEqual([]);
    expect(startWarnings(safe(forgers)).map((warning) => warning.split(/[:;]/)[0])).toEqual([
      'the harness claude-code runs outside a container, as the user of this server',
      'the harness codex runs outside a container, as the user of this server',
      'the plugin mine is linked to a directory, whose files may change',
    ]);
    expect(startWarnings(facts(forgers))).toEqual([]);
  });

  it('stands beside the loopback rule: both are told in one refusal', () => {
    const open = facts({ host: '0.0.0.0', profile: 'production' });

    expect(startRefusals(open)).toHaveLength(2);
    expect(() => assertMayStart(open)).toThrow(
      expect.objectContaining({ code: 'KIT_SERVE_REFUSED', exitCode: 2, hint: 'Close every gap, then start again.' }),
    );
    expect(() => assertMayStart(facts({ host: '0.0.0.0' }))).toThrow(
      expect.objectContaining({ hint: 'Take one of these ways, then start again.' }),
    );
    expect(() => assertMayStart(open)).toThrow(
      /others reach 0\.0\.0\.0[\s\S]*--insecure[\s\S]*2 gaps[\s\S]*1\. server\.auth\.provider[\s\S]*2\. KIT_OAUTH_KEY/,
    );
    expect(() => assertMayStart(facts())).not.toThrow();
  });
});

describe('the warnings of a start', () => {
  it.each([
    ['a named operator who holds no role', { identities: ['operator'], roles: ROLES }, ['operator is in no role']],
    ['a named operator who is a member', { identities: ['alice'], roles: ROLES }, []],
    ['one who is a member by another name', { identities: ['alice@acme.example'], roles: ROLES }, []],
    ['nobody named', { roles: ROLES }, []],
    ['a named operator without a registry', { identities: ['operator'] }, []],
    ['keys of machines that hold no role', { provider: 'api_key', identities: ['ci'], roles: ROLES }, []],
    [
      'an open server that others reach',
      { host: '0.0.0.0', insecure: true },
      ['whoever reaches 0.0.0.0 may do everything'],
    ],
    ['every origin', { corsOrigins: ['*'] }, ['--cors-origin *']],
    ['nothing', {}, []],
  ] as const)('for %s', (_what, over, warnings) => {
    expect(startWarnings(facts(over))).toEqual(warnings.map((text) => expect.stringContaining(text)));
  });
});
