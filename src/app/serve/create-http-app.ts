import { isKitError, KitError } from '../../domain/errors.js';
import type { ContributionInfo, PluginHost } from '../../domain/extension-points.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Log } from '../../domain/ports/system.js';
import type { OpenedAuth } from './auth/open-auth.js';
import type { FailedGroup, HttpApp, MountedGroup } from './http-app.js';
import { narrowApp, usableMembers } from './narrow-app.js';
import { type PrepareServerDeps, prepareServer } from './prepare-server.js';
import { firstSegment, RESERVED_SEGMENTS } from './reserved-paths.js';

/** What the use cases around the HTTP server are made of. */
export interface HttpDeps extends Omit<PrepareServerDeps, 'auth'> {
  /** The plugin host whose contributions may ask for the credentials of the workspace. */
  readonly openHost: (workspace: string) => Promise<PluginHost>;
  /** Reads `server.auth` and makes the provider with `openHost`'s host. */
  readonly openAuth: (workspace: string) => Promise<OpenedAuth>;
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'serving' | 'backend' | 'location'>>;
  /** Every use case of this process. */
  readonly app: () => object;
  /** Each says what is written in the workspace and cannot work, a line each. */
  readonly notes: readonly ((workspace: string) => Promise<readonly string[]>)[];
  readonly log: Log;
}

type Mountable = ContributionInfo & { readonly mount: NonNullable<ContributionInfo['mount']> };

const isMountable = (info: ContributionInfo): info is Mountable => info.mount !== null;

const refused = (info: Mountable, why: string): KitError =>
  new KitError('KIT_PLUGIN_MOUNT_REFUSED', `${info.id} of ${info.plugin} ${why}`);

function assertUses(info: Mountable, known: readonly string[]): void {
  const unknown = info.mount.uses.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw refused(info, `uses ${unknown.join(', ')}, which kit does not have; there are ${known.join(', ')}`);
}

/**
 * A prefix of a third party: there, not one of kit's, and claimed by no other plugin; of two that
 * claim it neither has it.
 */
function assertPrefix(info: Mountable, foreign: readonly Mountable[]): void {
  const segment = firstSegment(info.mount.prefix);
  if (segment === '') throw refused(info, 'has no prefix; only routes that kit brings lie at the top');
  if (RESERVED_SEGMENTS.has(segment))
    throw refused(info, `has the prefix ${info.mount.prefix}, and /${segment} belongs to kit`);
  const others = foreign.filter(
    ({ plugin, mount }) => plugin !== info.plugin && firstSegment(mount.prefix) === segment,
  );
  if (others.length > 0)
    throw refused(
      info,
      `has the prefix ${info.mount.prefix}, and /${segment} is claimed by ${others.map(({ plugin }) => plugin).join(', ')} as well`,
    );
}

/** What mounts, auth and the access log of a server need from the house. */
export function createHttpApp(deps: HttpDeps): HttpApp {
  const { openHost, openStores, app } = deps;
  const opened = new Map<string, Promise<OpenedAuth>>();
  // Once a server: a reload does not change who may call (docs/design/decisions.md#auth-once).
  const authOf = (workspace: string): Promise<OpenedAuth> => {
    const auth = opened.get(workspace) ?? deps.openAuth(workspace);
    opened.set(workspace, auth);
    return auth;
  };

  async function mounted(host: PluginHost, info: Mountable, isBundled: boolean): Promise<MountedGroup> {
    const { id, plugin, mount } = info;
    assertUses(info, usableMembers(app()));
    const instance = await host.resolve('httpMounts', id, {});
    return {
      id,
      plugin,
      isBundled,
      prefix: mount.prefix,
      tier: mount.tier,
      mount: instance,
      app: narrowApp(app(), { id, uses: mount.uses }),
    };
  }

  async function foreignGroup(
    host: PluginHost,
    info: Mountable,
    foreign: readonly Mountable[],
  ): Promise<MountedGroup | FailedGroup> {
    try {
      assertPrefix(info, foreign);
      return await mounted(host, info, false);
    } catch (error) {
      if (!isKitError(error)) throw error;
      return { id: info.id, plugin: info.plugin, reason: error.message };
    }
  }

  return {
    prepare: (options) => prepareServer(options, { ...deps, auth: authOf }),
    auth: async (workspace) => (await authOf(workspace)).provider,
    facts: async (workspace) => {
      const [{ backend, location }, { maxConcurrent, server, topologies: all }, notes] = await Promise.all([
        openStores(workspace),
        deps.workspace(workspace),
        Promise.all(deps.notes.map((note) => note(workspace))),
      ]);
      const topologies = [...new Set([...all.values()].map(({ name }) => name))].sort();
      return {
        storage: `${backend} (${location})`,
        maxConcurrent,
        topologies,
        hasConsole: server.console.enabled,
        notes: notes.flat(),
      };
    },
    log: async () => deps.log,
    mounts: async (workspace) => {
      const host = await openHost(workspace);
      const bundled = new Set(host.report().flatMap(({ name, origin }) => (origin === 'bundled' ? [name] : [])));
      const all = host.list('httpMounts').filter(isMountable);
      const [own, foreign] = [
        all.filter(({ plugin }) => bundled.has(plugin)),
        all.filter(({ plugin }) => !bundled.has(plugin)),
      ];
      const groups: MountedGroup[] = [];
      for (const info of own) groups.push(await mounted(host, info, true));
      const others = await Promise.all(foreign.map((info) => foreignGroup(host, info, foreign)));
      return {
        groups: [...groups, ...others.filter((other) => 'mount' in other)],
        failed: others.filter((other) => 'reason' in other),
      };
    },
    recordAccess: async (workspace, entries) => (await openStores(workspace)).serving.recordAccess(entries),
  };
}
