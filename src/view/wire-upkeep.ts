import type { JsonObject } from '../domain/json.js';
import type { CopyState } from '../domain/ports/audit.js';
import type { AuditPlan, AuditRemoval } from '../domain/ports/retention.js';
import type { MovePlan, MoveReport } from '../domain/ports/store-move.js';
import { toWireLag } from './schemas/info.js';
import type { UpgradePlan } from './upgrade-report.js';

/** What a migration would do, as JSON. */
export const toWireMovePlan = ({ source, target, state, tables, leftLogins }: MovePlan): JsonObject => ({
  dry_run: true,
  source,
  target,
  state,
  tables: tables.map(({ table, rows, there, toCopy, bytes }) => ({ table, rows, there, to_copy: toCopy, bytes })),
  left_logins: leftLogins.map(({ credential, owner }) => ({ credential_id: credential, owner })),
});

/** What a migration did. */
export const toWireMoveReport = ({ source, target, tables, sequences, leftLogins }: MoveReport): JsonObject => ({
  dry_run: false,
  source,
  target,
  tables: tables.map(({ table, rows, copied, digest }) => ({ table, rows, copied, digest })),
  sequences: { ...sequences },
  left_logins: leftLogins.map(({ credential, owner }) => ({ credential_id: credential, owner })),
});

interface Age {
  readonly olderThanDays: number;
  readonly source: string;
}

type Removal = (AuditPlan | AuditRemoval) & Age & { readonly auditCopy?: CopyState | null };

/**
 * What was removed, or would be; null = nothing was ever run there. A plan says too whether it is
 * an estimate (`method`), and how far the copy of the log is.
 */
export function toWirePrune(removal: Removal | null, isDryRun: boolean): JsonObject {
  if (removal === null) return { dry_run: isDryRun, runs: 0, rows: {}, blobs: 0 };
  const { endedBefore, olderThanDays, source, runs, oldest, newest, rows, blobs, bytes, auditCopy } = removal;
  const plan =
    'databaseBytes' in removal
      ? {
          method: removal.method,
          database_bytes: { now: removal.databaseBytes.now, after: removal.databaseBytes.after },
        }
      : {};
  return {
    dry_run: isDryRun,
    ended_before: endedBefore,
    older_than_days: olderThanDays,
    decided_by: source,
    runs,
    oldest,
    newest,
    events: rows.events ?? 0,
    rows: { ...rows },
    blobs,
    bytes: { database: bytes.database, blobs: bytes.blobs },
    ...plan,
    ...(auditCopy === undefined
      ? {}
      : { audit_copy: auditCopy === null ? null : { ...toWireLag(auditCopy), holds_all: auditCopy.holdsAll } }),
  };
}

/** Stands for the package with its version in the command of a plan. */
export const TARGET = '{target}';

type Planned = Pick<UpgradePlan, 'name' | 'install'>;

/** What installs this version here, word by word; null = an upgrade is not kit's to make. */
export const installWords = ({ name, install }: Planned, version: string): readonly [string, ...string[]] | null => {
  if (!('command' in install)) return null;
  const [program, ...words] = install.command;
  return [program, ...words.map((word) => (word === TARGET ? `${name}@${version}` : word))];
};

/** What an upgrade would be, as `--json` shows it. */
export const toWireUpgrade = (plan: UpgradePlan): JsonObject => ({
  ...shown(plan),
  command: installWords(plan, plan.target.version)?.slice() ?? null,
});

const shown = ({ installed, target, move, install, changes, plugins, stranded }: UpgradePlan): JsonObject => ({
  installed: installed.version,
  installed_level: installed.level,
  target: target.version,
  target_level: target.level,
  behind: move === 'upgrade',
  method: install.kind,
  breaking_changes: changes.map(({ at, summary, migration, isBetween }) => ({
    ...('level' in at ? { level: at.level } : { version: at.version }),
    summary,
    migration,
    between: isBetween,
  })),
  plugins: plugins.map(({ name, version, range, fits }) => ({ name, version, range, fits })),
  stranded: stranded.map(({ workspace, problem }) => ({ workspace, problem })),
});
