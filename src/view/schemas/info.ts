// What a server says of itself and of its runs.
import type { AuditLag } from '../../domain/ports/audit.js';
import type { UsageKey } from '../../domain/ports/usage.js';
import type { UsageReport, UsageSummary } from '../model-usage.js';
import type { GrowthReport, StorageReport } from '../storage-report.js';
import type { SystemReport } from '../system-report.js';
import { toWire } from './codec.js';
import {
  arrayOf,
  BOOLEAN,
  COUNT,
  closed,
  described,
  type HeldOf,
  held,
  INTEGER,
  NULL,
  NUMBER,
  nullable,
  OBJECT,
  objectOrNull,
  oneOf,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  type TypeOf,
} from './words.js';

const NUMBER_OR_NULL = nullable(NUMBER);
const LABEL = objectOrNull(closed({ id: STRING, name: TEXT_OR_NULL }));

const MODE = described(STRING, 'Name of the auth provider.');

/** `GET /whoami`. */
export const WHOAMI = closed({
  client_id: STRING,
  client_name: STRING,
  provider: STRING,
  scopes: STRINGS,
  roles: described(
    nullable(STRINGS),
    'Roles of the registry that the caller decides as; null: the registry cannot be read.',
  ),
  mode: MODE,
  workspace: TEXT_OR_NULL,
});
export type WireWho = TypeOf<typeof WHOAMI>;

const ROLE_OR_NULL = { type: ['string', 'null'], enum: ['all', 'api', null] } as Schema<'all' | 'api' | null>;

/** `GET /auth-info`. What an auth provider says of tokens is its own, and open for that. */
export const AUTH_INFO = closed(
  {
    mode: MODE,
    oidc: described(
      OBJECT,
      'Where tokens come from; mode jwt alone. With `client_id` and `authorization_endpoint` people sign in through a browser, and POST /auth/oidc/token ends it.',
    ),
  },
  ['oidc'],
);
export type WireAuthInfo = TypeOf<typeof AUTH_INFO>;

/** `GET /capabilities`. */
export const CAPABILITIES = closed({
  serve_version: STRING,
  schema_version: described(STRING, 'Level of the interface whose artifact schemas hold.'),
  role: described(ROLE_OR_NULL, '`api`: workers execute the runs, and a new one is `queued`.'),
  workspace_id: STRING,
  workspace_name: STRING,
  organisation: LABEL,
  team: LABEL,
  metadata: closed({ description: TEXT_OR_NULL, annotations: recordOf(STRING) }),
  topologies: described(STRINGS, 'Names without versions.'),
  model_providers: STRINGS,
  governance_provider: STRING,
  features: closed({ auth: MODE, compression: STRING, canary: BOOLEAN, a2a: BOOLEAN }),
});
export type WireCapabilities = TypeOf<typeof CAPABILITIES>;

export const LAG = closed({
  behind_events: held('events', described(nullable(INTEGER), 'Null: not known, the database has not answered yet.')),
  behind_seconds: held('seconds', described(NUMBER_OR_NULL, 'Age of the oldest event that is missing there.')),
  error: described(TEXT_OR_NULL, 'Why it cannot be reached now; null: it can.'),
});
export type WireLag = TypeOf<typeof LAG>;

const DUE = closed({
  runs: described(INTEGER, 'No more than 10,000 are counted; of more than 500, also those that have to stay.'),
  more: held('isMore', described(BOOLEAN, 'There are more.')),
  bytes: described(INTEGER, 'About what these take of the database.'),
});

const GROWTH = closed({
  retention_days: INTEGER,
  decided_by: described(STRING, '`storage.audit.retention_days` or `default`.'),
  prune_every_hours: described(
    nullable(INTEGER),
    '`storage.audit.prune_every_hours`; null: no server removes anything.',
  ),
  database_bytes: described(
    nullable(INTEGER),
    'Of the store of the runs, beside the blobs; null, like the rest: not known.',
  ),
  oldest_run: described(TEXT_OR_NULL, 'When the oldest run was submitted.'),
  due: described(objectOrNull(DUE), 'What the retention would remove now.'),
  error: described(TEXT_OR_NULL, 'Why the store cannot be asked.'),
});

export const STORAGE = closed({
  stores: arrayOf(
    closed({
      store: oneOf(['runtime', 'audit', 'checkpoints', 'artifacts', 'memory', 'fleet', 'knowledge_bases']),
      backend: described(STRING, '`UNRESOLVED`: what the settings ask for cannot be had.'),
      location: described(TEXT_OR_NULL, '`workspace-local`, a file, or a URL without its password.'),
      source: described(STRING, 'What decided: `default`, `env`, `role`, `storage.runtime` or `storage.<store>`.'),
      setting: described(TEXT_OR_NULL, 'The variable or the key; null: nothing is written.'),
      error: TEXT_OR_NULL,
    }),
  ),
  audit_copy: held(
    'audit',
    described(
      objectOrNull(LAG),
      'How far the log is behind the runs where `storage.audit` names a database of its own; null: it lies with the runs.',
    ),
  ),
  warnings: STRINGS,
  growth: GROWTH,
});
export type WireStorage = TypeOf<typeof STORAGE>;

export const SYSTEM = closed({
  workspace: described(TEXT_OR_NULL, 'Null: the files have errors.'),
  workspace_name: TEXT_OR_NULL,
  valid: BOOLEAN,
  root: STRING,
  role: described(ROLE_OR_NULL, '`api`: workers execute the runs.'),
  runtime_version: held('version', STRING),
  schema_version: STRING,
  node_version: STRING,
  webui_version: NULL,
  storage: STORAGE,
  properties: arrayOf(closed({ name: STRING, value: STRING, sensitive: held('isSensitive', BOOLEAN) })),
  environment: arrayOf(
    closed({
      name: STRING,
      group: STRING,
      description: STRING,
      set: held('isSet', BOOLEAN),
      value: TEXT_OR_NULL,
      sensitive: held('isSensitive', BOOLEAN),
    }),
  ),
  plugins: arrayOf(
    closed({
      name: STRING,
      version: STRING,
      origin: STRING,
      state: STRING,
      code: TEXT_OR_NULL,
      message: TEXT_OR_NULL,
      contributions: STRINGS,
    }),
  ),
  launches: arrayOf(closed({ kind: STRING, id: STRING, argv: STRINGS })),
  knowledge_bases: arrayOf(closed({ id: STRING, path: STRING, include: STRINGS })),
});
export type WireSystem = TypeOf<typeof SYSTEM>;

export const USAGE_SUMMARY = closed({
  total_calls: held('calls', COUNT),
  total_input_tokens: held('inputTokens', COUNT),
  total_output_tokens: held('outputTokens', COUNT),
  total_cache_tokens: held('cachedInputTokens', COUNT),
  total_cost_usd: held('costUsd', described(NUMBER_OR_NULL, 'Null: the price of at least one call is unknown.')),
});
export type WireUsageSummary = TypeOf<typeof USAGE_SUMMARY>;

const SHARE_FIELDS = {
  calls: COUNT,
  input_tokens: COUNT,
  output_tokens: COUNT,
  cache_tokens: held('cachedInputTokens', COUNT),
  cost_usd: NUMBER_OR_NULL,
};

/** One list is there: the one that was asked for. */
export const USAGE_REPORT = closed(
  {
    summary: USAGE_SUMMARY,
    by_model: arrayOf(closed({ model: held('key', STRING), ...SHARE_FIELDS })),
    by_topology: arrayOf(closed({ topology: held('key', STRING), ...SHARE_FIELDS })),
    by_day: arrayOf(closed({ day: held('key', STRING), ...SHARE_FIELDS })),
  },
  ['by_model', 'by_topology', 'by_day'],
);
export type WireUsageReport = TypeOf<typeof USAGE_REPORT>;

/** How far the copy of the log is behind. */
export const toWireLag = (lag: AuditLag): WireLag => toWire(LAG, lag);

/** Where stores lie and how that of the runs grows, as CLI and HTTP show it. */
export const toWireStorage = (report: StorageReport, growth: GrowthReport): WireStorage =>
  toWire(STORAGE, { ...report, growth: shownGrowth(growth) });

/** What is not known, because nothing was run there or the store cannot be asked, is null. */
function shownGrowth({ retention, pruneEveryHours, store }: GrowthReport): HeldOf<typeof STORAGE>['growth'] {
  const known = store.kind === 'known' ? store : null;
  return {
    retentionDays: retention.days,
    decidedBy: retention.source,
    pruneEveryHours,
    databaseBytes: known?.bytes ?? null,
    oldestRun: known?.oldestRun ?? null,
    due: known?.due ?? null,
    error: store.kind === 'unknown' ? store.error : null,
  };
}

/** The page of a system as CLI and HTTP show it. There is no web page, so its version is null. */
export const toWireSystem = ({ workspace, storage, growth, ...report }: SystemReport): WireSystem =>
  toWire(SYSTEM, {
    ...report,
    workspace: workspace?.id ?? null,
    workspaceName: workspace?.name ?? null,
    valid: workspace !== null,
    webuiVersion: null,
    storage: { ...storage, growth: shownGrowth(growth) },
  });

/** What calls can be summed by, as people and clients name it. */
export const USAGE_KEYS = ['model', 'topology', 'day'] as const satisfies readonly UsageKey[];

/** Usage together, as CLI and HTTP show it. */
export const toWireUsageSummary = (summary: UsageSummary): WireUsageSummary => toWire(USAGE_SUMMARY, summary);

/** Usage by model, topology or day, as CLI and HTTP show it: `by_day: [{ day, calls, ... }]`. */
export function toWireUsageReport({ summary, by, shares }: UsageReport): WireUsageReport {
  switch (by) {
    case 'model':
      return toWire(USAGE_REPORT, { summary, byModel: shares });
    case 'topology':
      return toWire(USAGE_REPORT, { summary, byTopology: shares });
    case 'day':
      return toWire(USAGE_REPORT, { summary, byDay: shares });
  }
}
