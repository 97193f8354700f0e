import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../support/fleet/free-port.js';
import { createMember, type Member } from '../support/fleet/member.js';
import { startWire, type Wire } from '../support/fleet/wire.js';
import { makeHome, runKit } from '../support/kit-process.js';
import { type Cluster, startCluster } from './cluster.js';
import { type SoakModel, startSoakModel } from './model.js';
import { CALLERS, type Caller, soakWorkspace } from './workspace.js';

export interface SoakSettings {
  readonly workers: number;
  readonly leaseSeconds: number;
  /** Runs that one worker executes at once. */
  readonly concurrency: number;
  /** Lines of one harness session, 0.25 s apart. */
  readonly lines: number;
  readonly isAuditElsewhere: boolean;
}

/** Everything that a soak runs on, in private directories; nothing is left when it is disposed. */
export interface SoakHouse {
  readonly cluster: Cluster;
  readonly database: string;
  /** Holds the log, where `isAuditElsewhere`. */
  readonly audit: Cluster | null;
  readonly model: SoakModel;
  readonly api: Member;
  readonly apiUrl: string;
  readonly keys: Readonly<Record<Caller, string>>;
  readonly workers: readonly { readonly member: Member; readonly wire: Wire }[];
  /** Files that tell what happened; they stay when `keep` is asked for. */
  readonly dir: string;
  readonly effects: string;
  dispose(keep: boolean): Promise<void>;
}

const DATABASE = 'soak';
/**
 * Which runs each worker takes: the third and the fourth are specialists, as in a fleet with
 * harness machines.
 */
const CLASSES = ['any', 'any', 'model', 'harness'] as const;
const WAL_FOR_HISTORY = ['wal_level=logical', 'max_replication_slots=2', 'max_wal_senders=2'];

type Close = () => unknown;
/** Remembers how what is begun is ended. */
type Opened = <T>(opening: Promise<T>, close: (opened: T) => unknown) => Promise<T>;

/** Leaves nothing behind when it throws. */
export async function openSoak(settings: SoakSettings): Promise<SoakHouse> {
  const closers: Close[] = [];
  const openings: Promise<unknown>[] = [];
  const opened: Opened = (opening, close) => {
    const noted = opening.then((result) => {
      closers.push(() => close(result));
      return result;
    });
    openings.push(noted);
    return noted;
  };
  try {
    return await openIn(settings, opened);
  } catch (error) {
    await Promise.allSettled(openings);
    for (const close of closers.toReversed()) await close();
    throw error;
  }
}

async function openIn(settings: SoakSettings, opened: Opened): Promise<SoakHouse> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'kit-soak-')));
  await opened(Promise.resolve(dir), () => rmSync(dir, { recursive: true, force: true }));
  const effects = join(dir, 'effects');
  const root = join(dir, 'workspace');
  const [home, cluster, audit, model, apiPort] = await Promise.all([
    opened(makeHome(), (made) => made.remove()),
    opened(startCluster(WAL_FOR_HISTORY), (started) => started.dispose()),
    settings.isAuditElsewhere ? opened(startCluster(WAL_FOR_HISTORY), (started) => started.dispose()) : null,
    opened(startSoakModel(), (started) => started.close()),
    freePort(),
  ]);
  await cluster.createDatabase(DATABASE);
  await audit?.createDatabase(DATABASE);
  // One of an odd form is read as text, whatever it looks like.
  const keys = Object.fromEntries(
    Object.keys(CALLERS).map((id) => [id, `key-${randomBytes(16).toString('hex')}`]),
  ) as Record<Caller, string>;
  writeWorkspace(root, { ...settings, effects });
  const temp = join(dir, 'temp');
  mkdirSync(temp);
  const envOf = (port: number): NodeJS.ProcessEnv => ({
    ...home.env,
    TMPDIR: temp,
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    GIT_CONFIG_NOSYSTEM: '1',
    MODEL_URL: model.url,
    LOCAL_KEY: 'key-of-the-soak',
    // By the workspace: a URL of kit's own variables would set `storage.audit` aside.
    RUNS_URL: cluster.url(DATABASE, port),
    ...(audit === null ? {} : { AUDIT_URL: audit.url(DATABASE) }),
    ...Object.fromEntries(Object.entries(CALLERS).map(([id, name]) => [name, keys[id as Caller]])),
  });
  await approveAdapter(root, envOf(cluster.port));
  const api = createMember({
    name: 'api',
    argv: ['serve', root, '--role', 'api', '--port', String(apiPort)],
    env: envOf(cluster.port),
    logFile: join(dir, 'api.log'),
  });
  const workers = await Promise.all(
    Array.from({ length: settings.workers }, async (_, n) => {
      const wire = await opened(startWire(cluster.port), (started) => started.close());
      const name = `worker-${n + 1}`;
      const argv = [
        'worker',
        root,
        '--class',
        CLASSES[n % CLASSES.length] ?? 'any',
        '--concurrency',
        String(settings.concurrency),
      ];
      return { wire, member: createMember({ name, argv, env: envOf(wire.port), logFile: join(dir, `${name}.log`) }) };
    }),
  );
  return {
    cluster,
    database: DATABASE,
    audit,
    model,
    api,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    keys,
    workers,
    dir,
    effects,
    dispose: async (keep) => {
      await Promise.all([api.kill(), ...workers.map(({ member }) => member.kill())]);
      await Promise.all([
        ...workers.map(({ wire }) => wire.close()),
        model.close(),
        cluster.dispose(),
        audit?.dispose(),
      ]);
      await home.remove();
      if (!keep) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function writeWorkspace(root: string, settings: Parameters<typeof soakWorkspace>[0]): void {
  for (const [path, content] of Object.entries(soakWorkspace(settings))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Soak', '-c', 'user.email=soak@example.com', 'commit', '--quiet', '--message=first');
}

/**
 * A person looks at what the adapter of the workspace starts, and approves it; the run makes the
 * store as well.
 */
async function approveAdapter(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const asked = ['run', root, 'harness', '--input', 'first'];
  const refused = await runKit(asked, { env });
  const digest = /--trust ([0-9a-f]{64})/.exec(refused.stderr)?.[1];
  if (digest === undefined) throw new Error(`the adapter was not asked about: ${refused.stderr}${refused.stdout}`);
  const run = await runKit([...asked, '--trust', digest], { env });
  if (run.code !== 0) throw new Error(`the first run failed: ${run.stderr}${run.stdout}`);
}
