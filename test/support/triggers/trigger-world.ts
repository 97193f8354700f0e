import { onTestFinished } from 'vitest';
import { contribution as cron } from '../../../plugins/triggers/src/cron.js';
import { contribution as fileWatch } from '../../../plugins/triggers/src/file-watch.js';
import { contribution as manual } from '../../../plugins/triggers/src/manual.js';
import { contribution as webhook } from '../../../plugins/triggers/src/webhook.js';
import type { ServerRun } from '../../../src/app/serve/serve-app.js';
import { createTriggersApp } from '../../../src/app/triggers/create-triggers-app.js';
import type { EmittedEvent } from '../../../src/app/triggers/fire-targets.js';
import type { TriggersApp } from '../../../src/app/triggers/triggers-app.js';
import { KitError } from '../../../src/domain/errors.js';
import type { Contribution, Secrets } from '../../../src/domain/extension-points.js';
import type { Job } from '../../../src/domain/job.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { createTestContext } from '../../../src/domain/testing.js';
import type { Workspace } from '../../../src/domain/workspace.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { TestClock } from '../../../src/testing/test-clock.js';
import { compileSources, type Sources } from '../compile.js';
import { openSqliteWorld } from '../store-world.js';
import { jobOf } from '../view-samples.js';

const TYPES: Readonly<Record<string, Contribution<'triggers'>>> = { cron, webhook, file_watch: fileWatch, manual };

const topology = (name: string, rest = ''): string =>
  `apiVersion: kit/v1\nkind: Topology\nmetadata: { name: ${name}, version: 1.0.0 }\n${rest}agents:\n  root: { id: root, role: root, children: [] }\n`;

/** A trigger file; `rest` is YAML. */
export const triggerFile = (id: string, rest: string): string =>
  `apiVersion: kit/v1\nkind: Trigger\nmetadata: { id: ${id}, name: T }\n${rest}`;

export interface TriggerTestOptions {
  /** Files below triggers/, by id. */
  readonly triggers: Readonly<Record<string, string>>;
  /** In place of the files: a workspace that is compiled already. */
  readonly workspace?: Workspace;
  /** More files of the workspace. */
  readonly sources?: Sources;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a store of its own. */
  readonly stores?: Stores;
  readonly clock?: TestClock;
  readonly types?: Readonly<Record<string, Contribution<'triggers'>>>;
  /** What a submit throws, by topology. */
  readonly refuse?: Readonly<Record<string, KitError>>;
  readonly emit?: (event: EmittedEvent) => Promise<void>;
}

export interface TriggerTest {
  readonly app: TriggersApp;
  readonly stores: Stores;
  readonly clock: TestClock;
  readonly submitted: ServerRun[];
  readonly emitted: EmittedEvent[];
  readonly logged: string[];
  /** Replaces the files, as a reload does, and tells those who listen for it. */
  readonly reload: (triggers: TriggerTestOptions['triggers']) => Promise<void>;
  /** Payloads of `trigger.fired`, oldest first. */
  readonly audit: () => Promise<readonly unknown[]>;
}

/**
 * Two topologies, `main` and `second`, and the triggers of a test over real types and a real store;
 * runs are noted instead of started.
 */
export async function openTriggerTest(options: TriggerTestOptions): Promise<TriggerTest> {
  const stores = options.stores ?? (await ownStores());
  const clock = options.clock ?? new TestClock();
  const secrets = new Map(Object.entries(options.secrets ?? {}));
  const submitted: ServerRun[] = [];
  const emitted: EmittedEvent[] = [];
  const logged: string[] = [];
  const listeners = new Set<() => Promise<void> | void>();
  let workspace = options.workspace ?? (await compile(options.triggers, options.sources));
  const note = (message: string): void => void logged.push(message);
  const log = { debug: () => {}, info: () => {}, warn: note, error: note };
  const types = { ...TYPES, ...options.types };
  const context = { ...createTestContext({ clock, log }), secrets: secretsOf(secrets, options.env ?? {}) };
  const app = createTriggersApp({
    clock,
    log,
    ids: createIds(readWorkerHost()),
    maskOf: async () => (text) =>
      [...secrets.values()].reduce((masked, secret) => masked.replaceAll(secret, '***'), text),
    open: async () => ({
      workspace,
      stores: async () => stores,
      plugins: {
        resolve: (async (_point: string, name: string, config: never) => {
          const type = types[name];
          if (type === undefined) throw new KitError('KIT_PLUGIN_UNKNOWN', `no plugin contributes ${name} to triggers`);
          return type.create(config, context);
        }) as never,
      },
    }),
    serve: {
      onReload: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      submit: async (run) => {
        const refused = options.refuse?.[run.topology];
        if (refused !== undefined) throw refused;
        submitted.push(run);
        return { job: jobFor(run, submitted.length), repeated: false, author: null, warnings: [], advice: [] };
      },
    },
    emit: async (event) => {
      await options.emit?.(event);
      emitted.push(event);
    },
  });
  onTestFinished(() => app.stop());
  return {
    app,
    stores,
    clock,
    submitted,
    emitted,
    logged,
    reload: async (triggers) => {
      workspace = await compile(triggers, options.sources);
      for (const listener of listeners) await listener();
    },
    audit: async () =>
      (await stores.events.read({ types: ['trigger.fired'], limit: 100 })).events.map(({ payload }) => payload),
  };
}

async function ownStores(): Promise<Stores> {
  const world = await openSqliteWorld();
  onTestFinished(() => world.dispose());
  return world.stores;
}

async function compile(triggers: TriggerTestOptions['triggers'], sources: Sources = {}): Promise<Workspace> {
  const files = Object.entries(triggers).map(([id, rest]) => [`triggers/${id}.yaml`, triggerFile(id, rest)] as const);
  const compiled = await compileSources({
    'topologies/main.yaml': topology('main'),
    'topologies/second.yaml': topology('second'),
    ...Object.fromEntries(files),
    ...sources,
  });
  if (compiled.workspace === null) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.workspace;
}

const secretsOf = (secrets: ReadonlyMap<string, string>, env: Readonly<Record<string, string>>): Secrets => ({
  credential: async (ref) => {
    const value = secrets.get(ref);
    if (value === undefined)
      throw new KitError('KIT_CREDENTIAL_UNRESOLVED', `the workspace has no credential "${ref}"`, {
        data: { missing: 'entry' },
      });
    return value;
  },
  env: (name) => env[name] ?? null,
});

function jobFor(run: ServerRun, n: number): Job {
  const { topology: name, source, submittedBy } = run;
  return jobOf({
    id: n.toString(16).padStart(12, '0'),
    topology: name,
    input: typeof run.input === 'string' ? run.input : JSON.stringify(run.input),
    source,
    submittedBy,
    status: 'pending',
  });
}
