import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { contribution as canary } from '../../../plugins/serve/src/mounts/canary/mount.js';
import { contribution as conversations } from '../../../plugins/serve/src/mounts/conversations/mount.js';
import { contribution as memory } from '../../../plugins/serve/src/mounts/memory/mount.js';
import { contribution as runs } from '../../../plugins/serve/src/mounts/runs/mount.js';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import type { Job } from '../../../src/domain/job.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { openSceneApp, type SceneApp, type SceneAppOptions } from '../scene/scene-app.js';
import { startedEvent } from '../store-samples.js';
import { checked, TEST_AUTH } from './serve-group.js';

/**
 * A server over real stores: kit's own use cases and its routes of runs, jobs, canary,
 * conversations and memory.
 */
export interface ServeScene extends SceneApp {
  readonly directory: string;
  readonly server: FastifyInstance;
  /** Writes files of the workspace again. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  /**
   * Another job like this one that waits to be claimed, as an entry point of another process would
   * leave it.
   */
  insertPending(like: Job): Promise<string>;
  /** Drains at once and closes; the directory stays. */
  stop(): Promise<void>;
}

export function writeFiles(directory: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

export async function makeDirectory(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const directory = realpathSync(await mkdtemp(join(tmpdir(), 'kit-serve-')));
  writeFiles(directory, files);
  return directory;
}

export type ServeSceneOptions = Omit<SceneAppOptions, 'env'> & {
  readonly env?: Readonly<Record<string, string>>;
  /** Accepts runs and leaves them to others. */
  readonly role?: 'api';
};

/**
 * Starts a server of a workspace directory; nothing listens until somebody calls `server.listen`.
 */
export async function openServeScene(directory: string, options: ServeSceneOptions = {}): Promise<ServeScene> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, '.config'),
    ...options.env,
  };
  const { role, ...rest } = options;
  const app = openSceneApp(directory, { ...rest, env });
  await app.serve.start({ workspace: directory, ...(role === undefined ? {} : { role }) });
  const groups = await Promise.all(
    Object.entries({ runs, canary, conversations, memory }).map(async ([name, contribution]) => {
      const mount = await contribution.create({}, createTestContext({}));
      return {
        id: `kit.http-${name}`,
        plugin: '@kit-run/plugin-serve',
        isBundled: true,
        prefix: '',
        tier: 'admin',
        mount,
        app,
      } as const;
    }),
  );
  const server = await createServer({
    workspace: directory,
    auth: TEST_AUTH,
    groups,
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  return {
    ...app,
    directory,
    server: checked(server),
    write: (files) => writeFiles(directory, files),
    insertPending: async (like) => {
      const stores = await app.stores();
      const id = randomBytes(6).toString('hex');
      await stores.jobs.insert({ ...like, id }, 'pending', [startedEvent(randomUUID())]);
      return id;
    },
    stop: async () => {
      await server.close();
      await app.serve.drain(0);
      await app.close();
    },
  };
}

/** The same with a directory of its own, both gone afterwards. */
export async function withServeScene<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (scene: ServeScene) => Promise<T>,
  options: ServeSceneOptions = {},
): Promise<T> {
  const directory = await makeDirectory(files);
  try {
    const scene = await openServeScene(directory, options);
    try {
      return await work(scene);
    } finally {
      await scene.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
