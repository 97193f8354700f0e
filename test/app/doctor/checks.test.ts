import { describe, expect, it } from 'vitest';
import { failedLook } from '../../../src/app/doctor/checks/check.js';
import { checkOauthKey, checkProvider, checkSigningKey } from '../../../src/app/doctor/checks/keys.js';
import {
  checkEnvironment,
  checkGit,
  checkNode,
  checkStateDir,
  type StateDirFacts,
} from '../../../src/app/doctor/checks/machine.js';
import { misspeltVariables } from '../../../src/app/doctor/checks/misspelt-variables.js';
import { checkClock, checkPostgres, checkSqlite } from '../../../src/app/doctor/checks/stores.js';
import {
  checkAdapter,
  checkPlugins,
  checkToolServer,
  checkTopology,
  checkWorkspace,
} from '../../../src/app/doctor/checks/workspace.js';
import { maskedChecks } from '../../../src/app/doctor/run-probes.js';
import { KitError } from '../../../src/domain/errors.js';
import type { PostgresFacts } from '../../../src/domain/ports/store-facts.js';
import type { DoctorCheck } from '../../../src/view/doctor-report.js';

/** `status id found => fix`, the text of each in full. */
const shown = ({ id, status, found, fix }: DoctorCheck): string =>
  `${status} ${id}: ${found}${fix === null ? '' : ` => ${fix}`}`;
const all = (checks: readonly DoctorCheck[]): readonly string[] => checks.map(shown);

const GIB = 1024 ** 3;
const DIR: StateDirFacts = {
  path: '/w/.kit',
  exists: true,
  isWritable: true,
  mode: 0o700,
  network: null,
  freeBytes: 5 * GIB,
  holdsRuns: true,
  syncMs: 1.24,
};
const FILE = { path: '/w/.kit/store.sqlite', bytes: 2048, damage: null, isRead: true };
const SERVER: PostgresFacts = {
  serverVersion: '18.1',
  schemaVersion: 7,
  canCreate: true,
  isReadOnly: false,
  maxConnections: 100,
  reservedConnections: 3,
  usedConnections: 10,
  commitMs: 2,
  skewMs: 0,
  askedMs: 2,
  scratch: [],
};
const EXPECTED = { schemaVersion: 7, connections: 30, leaseMs: 60_000 };

describe('a check of the machine', () => {
  it.each([
    [checkNode({ version: '24.1.0', range: '>=22.15', isSupported: true }), 'ok node: Node.js 24.1.0'],
    [
      checkNode({ version: '20.1.0', range: '>=22.15', isSupported: false }),
      'fail node: Node.js 20.1.0, and kit needs >=22.15 => nvm install 24',
    ],
    [checkGit({ version: 'git version 2.4', isNeeded: true }), 'ok git: git version 2.4'],
    [checkGit({ version: null, isNeeded: true }), expect.stringMatching(/^fail git: .*worktrees => Install git/)],
    [checkGit({ version: null, isNeeded: false }), expect.stringMatching(/^warn git: .*=> Install git/)],
    [checkEnvironment(null), expect.stringMatching(/^ok environment/)],
    [
      checkEnvironment({ message: 'X must be a number', hint: 'Unset it.' }),
      'fail environment: X must be a number => Unset it.',
    ],
    [
      checkEnvironment(null, misspeltVariables(['KIT_PROVIDR', 'KIT_MODEL', 'KIT_DEPLOY_KEY', 'KITE', 'PATH'])),
      'warn environment: kit reads no KIT_PROVIDR (did you mean KIT_PROVIDER?) => unset KIT_PROVIDR',
    ],
  ])('says what was found, and what to do: row %#', (check, expected) => {
    expect(shown(check)).toEqual(expected);
  });

  it.each<[Partial<StateDirFacts>, readonly unknown[]]>([
    [{}, ['ok state-dir: /w/.kit is writable and private', expect.stringMatching(/^ok disk: 5120 MiB .* 1\.2 ms$/)]],
    [
      { exists: false, mode: null, syncMs: null },
      ['ok state-dir: /w/.kit can be made', expect.stringMatching(/^ok disk/)],
    ],
    [
      { isWritable: false },
      [expect.stringMatching(/^fail state-dir: .*cannot be written.*=> export KIT_STATE_DIR=/), expect.anything()],
    ],
    [
      { mode: 0o755 },
      ["warn state-dir: others than its owner may enter /w/.kit => chmod 700 '/w/.kit'", expect.anything()],
    ],
    [{ network: 'NFS' }, [expect.stringMatching(/^fail state-dir: .*NFS.*SQLite loses data/), expect.anything()]],
    [{ network: 'NFS', holdsRuns: false }, [expect.stringMatching(/^warn state-dir: .*NFS/), expect.anything()]],
    [{ freeBytes: 10 * 1024 ** 2 }, [expect.anything(), expect.stringMatching(/^fail disk: 10 MiB/)]],
    [{ freeBytes: 500 * 1024 ** 2 }, [expect.anything(), expect.stringMatching(/^warn disk: 500 MiB/)]],
    [{ syncMs: 80 }, [expect.anything(), expect.stringMatching(/^warn disk: .* 80\.0 ms, and each step waits/)]],
  ])('tells a state directory that cannot be used from one that somebody should look at: %j', (over, expected) => {
    expect(all(checkStateDir({ ...DIR, ...over }))).toEqual(expected);
  });
});

describe('a check of a store', () => {
  it.each<[Partial<PostgresFacts>, string, RegExp]>([
    [{}, 'store.runtime', /^ok .*PostgreSQL 18\.1, schema version 7, a commit takes 2\.0 ms$/],
    [{ schemaVersion: null }, 'store.runtime', /^ok .*no store yet/],
    [{ schemaVersion: null, canCreate: false }, 'store.runtime', /^fail .*=> GRANT CREATE ON DATABASE/],
    [{ schemaVersion: 6 }, 'store.runtime', /^ok .*the next start brings it to 7/],
    [{ schemaVersion: 9 }, 'store.runtime', /^fail .*schema version 9.*=> npm install/],
    [{ isReadOnly: true }, 'store.runtime', /^fail .*only reads.*=> Name the primary/],
    [{ commitMs: null }, 'store.runtime', /^ok .*PostgreSQL 18\.1, schema version 7$/],
    [{ commitMs: 120 }, 'store.runtime', /^warn .*120\.0 ms, and each step/],
    [
      { maxConnections: 33 },
      'store.runtime.connections',
      /^warn .*may open 30 connections; the server allows 30, 10 are open.*=> export KIT_STORE_POOL_SIZE/,
    ],
    [
      { maxConnections: 20 },
      'store.runtime.connections',
      /^fail .*the server allows 17.*=> export KIT_STORE_POOL_SIZE=5 /,
    ],
    [
      { scratch: ['kit_crash_ab_0001'] },
      'store.runtime.scratch',
      /^warn .*1 scratch schema .*=> DROP SCHEMA kit_crash_ab_0001 CASCADE;$/,
    ],
  ])('on PostgreSQL: %j', (over, id, expected) => {
    const found = checkPostgres('store.runtime', { ...SERVER, ...over }, EXPECTED).filter((check) => check.id === id);
    expect(all(found)).toEqual([expect.stringMatching(expected)]);
  });

  it('on SQLite says what lies there', () => {
    const at = (schemaVersion: number | null) =>
      shown(checkSqlite('store.runtime', { ...FILE, schemaVersion }, EXPECTED));
    expect([at(null), at(7), at(8)]).toEqual([
      'ok store.runtime: SQLite, no store yet: the first run makes it',
      'ok store.runtime: SQLite, /w/.kit/store.sqlite, 2 KiB, schema version 7',
      expect.stringMatching(/^fail store\.runtime: .*schema version 8/),
    ]);
  });

  it.each([
    [0, 2, 60_000, 'ok'],
    [1_900, 2, 60_000, 'ok'],
    [2_100, 2, 60_000, 'warn'],
    [-2_100, 2, 60_000, 'warn'],
    [-20_100, 2, 60_000, 'fail'],
    [1_100, 2, 3_000, 'fail'],
    // As far as anybody can tell: the answer took as long.
    [2_900, 2_000, 60_000, 'ok'],
  ])('clocks that are %i ms apart, asked in %i ms, with a lease of %i ms: %s', (skewMs, askedMs, leaseMs, status) => {
    expect(checkClock({ skewMs, askedMs }, { leaseMs }).status).toBe(status);
  });

  it('skips the clock where the store has none of its own, and says which one is behind', () => {
    expect(checkClock(null, EXPECTED).status).toBe('skipped');
    expect(checkClock({ skewMs: 5_000, askedMs: 0 }, EXPECTED).found).toBe(
      "this machine is 5.0 s behind the store's clock",
    );
    expect(checkClock({ skewMs: -5_000, askedMs: 0 }, EXPECTED).found).toBe(
      "this machine is 5.0 s ahead of the store's clock",
    );
  });
});

describe('a check of what a workspace uses', () => {
  const untrusted = { digest: 'd1', path: 'adapters/own.yaml', command: ['own', '--fast'] };
  const program = { id: 'own', binary: 'own', path: '/bin/own', topology: 'talk' };
  const adapter = { ...program, untrusted: null, unverified: null, login: null };
  const plugin = { name: 'p', version: '1.0.0', state: 'registered', message: null, origin: 'user' } as const;

  it.each([
    [checkWorkspace('/w', [{ severity: 'warning', path: 'a.yaml', message: 'odd' }]), 'ok workspace: /w has no error'],
    [
      checkWorkspace('/w 1', [
        { severity: 'error', path: 'a.yaml', message: 'bad' },
        { severity: 'error', path: 'b.yaml', message: 'worse' },
      ]),
      "fail workspace: a.yaml: bad (and 1 more) => kit validate '/w 1'",
    ],
    [checkTopology('talk@1', null), 'ok topology.talk@1: a run of it could start'],
    [
      checkTopology('talk@1', new KitError('KIT_PRICE_UNKNOWN', 'no price', { hint: 'Do.' })),
      'fail topology.talk@1: no price => Do.',
    ],
    [
      checkTopology('talk@1', new KitError('KIT_AUTHOR_UNIDENTIFIED', 'who?', { hint: 'As.' })),
      'warn topology.talk@1: who? => As.',
    ],
    [checkProvider({ id: 'mock', state: { kind: 'ready', variable: null } }), 'ok provider.mock: no key is needed'],
    [checkProvider({ id: 'openai', state: { kind: 'ready', variable: 'K' } }), 'ok provider.openai: K is set'],
    [
      checkProvider({ id: 'openai', state: { kind: 'needs', variable: 'K' } }),
      'fail provider.openai: K is not set => export K=<your key>',
    ],
    [checkProvider({ id: 'x', state: { kind: 'invalid', reason: 'c' } }), 'fail provider.x: c => kit providers show x'],
    [checkSigningKey({ kind: 'none', path: '/k' }), 'ok signing-key: none yet: the first decision makes /k'],
    [checkSigningKey({ kind: 'good', source: '/k', keyId: 'abc' }), 'ok signing-key: /k, key id abc'],
    [
      checkSigningKey({ kind: 'bad', message: 'others can read it', hint: 'chmod 600 /k' }),
      'fail signing-key: others can read it => chmod 600 /k',
    ],
    [checkOauthKey('set'), 'ok oauth-key: KIT_OAUTH_KEY is set'],
    [checkOauthKey('malformed'), expect.stringMatching(/^fail oauth-key: .*=> export KIT_OAUTH_KEY=/)],
    [checkOauthKey('unset'), expect.stringMatching(/^skipped oauth-key: .*=> export KIT_OAUTH_KEY=/)],
    [checkAdapter('/w', adapter), 'ok harness.own: /bin/own'],
    [
      checkAdapter('/w', { ...adapter, unverified: '2.0.0 is installed' }),
      'warn harness.own: 2.0.0 is installed => kit adapters verify own',
    ],
    [
      checkAdapter('/w', { ...adapter, path: null }),
      'fail harness.own: own is not on PATH => Install own, and put it on PATH.',
    ],
    [
      checkAdapter('/w', { ...adapter, untrusted }),
      'fail harness.own: nobody approved that it starts own --fast => Read adapters/own.yaml, then: kit run /w talk --trust d1',
    ],
  ])('says what was found there, and what to do: row %#', (check, expected) => {
    expect(shown(check)).toEqual(expected);
  });

  it('names each plugin that was refused or failed, and only those', () => {
    expect(all(checkPlugins([plugin, plugin]))).toEqual(['ok plugins: 2 plugins, none refused']);
    expect(
      all(
        checkPlugins([
          plugin,
          { ...plugin, name: 'q', state: 'rejected', message: 'other API' },
          { ...plugin, name: 'r', state: 'failed', message: 'threw', origin: 'bundled' },
        ]),
      ),
    ).toEqual([
      'fail plugin.q: 1.0.0 was refused: other API => kit plugins update q   # or: kit plugins uninstall q',
      'fail plugin.r: 1.0.0 failed: threw => npm install -g @kit-run/kit',
    ]);
  });
});

describe('a check that could not be made', () => {
  it('repeats a refusal of kit with its hint, and of any other error the name alone', () => {
    const refused = failedLook('store.runtime', new KitError('KIT_STORE_UNAVAILABLE', 'down', { hint: 'Start it.' }));
    const broken = failedLook('store.runtime', new TypeError('the password is hunter2'));
    expect(shown(refused)).toBe('fail store.runtime: down => Start it.');
    expect(shown(broken)).toContain('it could not be checked (TypeError)');
    expect(shown(broken)).not.toContain('hunter2');
  });

  it('is skipped where another check says why', () => {
    expect(failedLook('clock', new KitError('KIT_WORKSPACE_INVALID', 'broken')).status).toBe('skipped');
    expect(failedLook('store', new KitError('KIT_ENV_INVALID', 'broken')).status).toBe('skipped');
  });
});

it('takes known secrets and passwords of URLs out of every text', () => {
  const checks: readonly DoctorCheck[] = [
    { id: 'a', status: 'fail', found: 'it said sesame', fix: 'use postgres://ada:opensesame@host/db now' },
  ];
  const text = JSON.stringify(maskedChecks(checks, (said) => said.replaceAll('sesame', '***')));
  expect(text).not.toContain('sesame');
  expect(text).not.toContain('ada');
});

describe('the program of a tool server', () => {
  const uvx = { id: 'git', binary: 'uvx', path: null, isUsed: true };

  it('is there, or is missed by who needs it', () => {
    expect([
      shown(checkToolServer({ ...uvx, path: '/bin/uvx' })),
      shown(checkToolServer(uvx)),
      shown(checkToolServer({ ...uvx, isUsed: false })),
    ]).toEqual([
      'ok tool-server.git: /bin/uvx',
      'fail tool-server.git: uvx is not on PATH => Install uvx, and put it on PATH.',
      'warn tool-server.git: uvx is not on PATH, and no agent holds a skill that needs it => Install uvx, and put it on PATH.',
    ]);
  });
});
