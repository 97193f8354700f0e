import { describe, expect, it } from 'vitest';
import { comprehensionText } from '../../../src/text/comprehension-text.js';
import { storageText } from '../../../src/text/storage-text.js';
import { systemText } from '../../../src/text/system-text.js';
import { usageText } from '../../../src/text/usage-text.js';
import { usageReport } from '../../../src/view/model-usage.js';
import type { StorageReport, StorageRow } from '../../../src/view/storage-report.js';
import type { SystemReport } from '../../../src/view/system-report.js';
import { GROWN, NOTHING_RUN } from '../../support/grown-store.js';
import { HOSTILE } from '../../support/observed-run.js';

const plain = { color: false, width: null };
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
const local: StorageRow = {
  store: 'runtime',
  backend: 'sqlite',
  location: 'workspace-local',
  source: 'default',
  setting: null,
  error: null,
};
const lost = (store: StorageRow['store'], error: string): StorageRow => ({
  ...local,
  store,
  backend: 'UNRESOLVED',
  location: null,
  source: 'env',
  error,
});

const SYSTEM: SystemReport = {
  workspace: { id: 'w', name: 'Work' },
  root: '/w',
  role: null,
  version: '1.0.0',
  schemaVersion: '1.256.0',
  nodeVersion: '24.0.0',
  storage: { stores: [local], audit: null, warnings: [] },
  growth: GROWN,
  properties: [{ name: 'db.password', value: 'set', isSensitive: true }],
  environment: [
    { name: 'KIT_MODEL', group: 'run', description: '', isSet: true, value: 'm1', isSensitive: false },
    { name: 'KIT_ENV', group: 'process', description: '', isSet: false, value: null, isSensitive: false },
  ],
  plugins: [
    {
      name: 'p',
      version: '1',
      origin: 'user',
      state: 'rejected',
      code: 'KIT_PLUGIN_LOAD_FAILED',
      message: 'why',
      contributions: [],
    },
  ],
  launches: [{ kind: 'command', id: 'notes/note', argv: ['echo', 'two words'] }],
  knowledgeBases: [{ id: 'handbook', path: 'docs', include: ['*.md'] }],
};

describe('where stores lie', () => {
  it('names each store with what decided it, one reason once, and warnings below', () => {
    const report: StorageReport = {
      stores: [local, lost('audit', 'no URL'), lost('memory', 'no URL')],
      audit: null,
      warnings: ['old runs'],
    };

    expect(storageText(report, NOTHING_RUN, plain)).toBe(
      [
        'STORE    BACKEND     LOCATION         DECIDED BY',
        'runtime  sqlite      workspace-local  default',
        'audit    UNRESOLVED  -                -',
        'memory   UNRESOLVED  -                -',
        '',
        'unresolved audit, memory: no URL',
        'warning old runs',
      ].join('\n'),
    );
  });
});

describe('a log that is copied to a database of its own', () => {
  it.each([
    [{ events: 0, seconds: 0, error: null }, 'audit every event is there'],
    [{ events: 1, seconds: 12.4, error: null }, 'audit 1 event behind the runs, the oldest 12 s old'],
    [
      { events: 7, seconds: 90, error: 'gone' },
      'audit its database cannot be reached (gone); 7 events behind the runs, the oldest 90 s old',
    ],
    [
      { events: null, seconds: null, error: 'gone' },
      'audit its database cannot be reached (gone); how far the log is behind is not known',
    ],
  ] as const)('says of %o how far it is behind', (audit, line) => {
    expect(
      storageText({ stores: [local], audit, warnings: [] }, NOTHING_RUN, plain)
        .split('\n')
        .at(-1),
    ).toBe(line);
  });
});

describe('the page of a system', () => {
  it('shows what is set, and everything where all is asked for', () => {
    const text = systemText(SYSTEM, { ...plain, all: false });

    expect(text).toContain('workspace  Work (w)\ndirectory  /w\nkit        1.0.0, interface 1.256.0, Node.js 24.0.0');
    expect(text).toContain('KIT_MODEL  m1');
    expect(text).not.toContain('KIT_ENV');
    expect(text).toContain("command  notes/note  echo 'two words'");
    expect(text).toContain('Documents that a run may search\nhandbook: docs *.md');
    expect(text).toContain('KIT_PLUGIN_LOAD_FAILED: why');
    expect(systemText(SYSTEM, { ...plain, all: true })).toContain('KIT_ENV    -');
  });

  it('says that launches are unknown while the workspace has errors', () => {
    const text = systemText(
      { ...SYSTEM, workspace: null, launches: [], knowledgeBases: [], properties: [] },
      { ...plain, all: false },
    );

    expect(text).toContain('has errors: run `kit validate`');
    expect(text).toContain('unknown while the workspace has errors');
    expect(text).toContain('Properties (workspace.env.yaml)\nnone');
  });

  it('lets no control character of a name reach the terminal', () => {
    const hostile = JSON.parse(JSON.stringify(SYSTEM), (_key, value) =>
      typeof value === 'string' ? `${value}${HOSTILE}` : value,
    );

    expect(systemText(hostile, { ...plain, all: true }).replaceAll('\n', '')).not.toMatch(CONTROLS);
  });
});

describe('how fast people approve', () => {
  it('lists the approvals and what is not measured', () => {
    const fast = {
      gateId: 'g',
      runId: '0123456789ab',
      latencyMs: 1500,
      approvers: ['ada'],
      timestamp: '2030-01-02T03:04:05.000Z',
    };
    const report = {
      verdict: 'debt',
      since: '2029-12-31T00:00:00.000Z',
      thresholdSeconds: 20,
      approvalsSeen: 2,
      fastApprovals: [fast],
      deferred: ['reading'],
    } as const;

    expect(comprehensionText(report, plain)).toBe(
      [
        'debt: 1 of 2 approvals since 2029-12-31 00:00:00Z came within 20 s',
        '',
        'APPROVED              AFTER  RUN           GATE  PEOPLE',
        '2030-01-02 03:04:05Z  1.5 s  0123456789ab  g          1',
        '',
        'not measured: reading',
      ].join('\n'),
    );
  });
});

describe('what calls of models have cost', () => {
  const share = { key: 'large', calls: 3, inputTokens: 12_000, outputTokens: 340, cachedInputTokens: 0, costUsd: 1.5 };

  it('has the sum, a line for each, and an unknown cost as unknown', () => {
    const shares = [{ ...share, key: 'house', costUsd: null }, share];

    expect(usageText(usageReport('model', shares), plain)).toBe(
      [
        'cost unknown for 6 calls of models',
        '',
        'MODEL  CALLS  TOKENS IN  TOKENS OUT     COST',
        'house      3      12.0k         340  unknown',
        'large      3      12.0k         340    $1.50',
        '',
        'without coding agents: kit trace RUN shows what their sessions cost',
      ].join('\n'),
    );
  });

  it('lets no control character of a model reach the terminal', () => {
    const text = usageText(usageReport('model', [{ ...share, key: HOSTILE }]), plain);

    expect(text.replaceAll('\n', '')).not.toMatch(CONTROLS);
  });
});
