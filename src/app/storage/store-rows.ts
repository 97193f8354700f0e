import { isKitError, KitError } from '../../domain/errors.js';
import type { StorageBlock, StorageSettings } from '../../domain/storage-settings.js';
import { postgresLocation, shownUrl } from '../../lib/show-url.js';
import { type StorageRow, type StoreName, UNRESOLVED } from '../../view/storage-report.js';
import { knowledgeSite } from './knowledge-site.js';
import { artifactSite, auditSite, memorySite } from './own-site.js';
import {
  journalSite,
  postgresAt,
  resolvedText,
  runtimeSite,
  type Sited,
  type StoragePlace,
  says,
} from './resolve-storage.js';
import { assertSharedCheckpoints } from './shared-checkpoints.js';
import { environmentChoice, type StorageEnvironment } from './storage-environment.js';

/** What resolving artifacts needs beside the environment. */
export interface RowsEnvironment extends StorageEnvironment {
  /** True when a plugin here keeps artifacts under this id or name. */
  readonly hasArtifactStore: (plugin: string) => boolean;
  /**
   * The process shares its runs with others: its role is what keeps a journal that no block places
   * beside them (docs/design/journal.md#shared-journal).
   */
  readonly isShared: boolean;
}

/** The location of what lies in the state directory of a workspace. */
export const WORKSPACE_LOCAL = 'workspace-local';

type Cells = Pick<StorageRow, 'backend' | 'location' | 'source' | 'setting'>;

/**
 * Where every store of a workspace lies. What cannot be honoured is a row with its reason, and
 * hides no other; nothing is opened or connected to.
 */
export function storeRows(settings: StorageSettings, environment: RowsEnvironment): readonly StorageRow[] {
  const bases: StorageBlock | null =
    settings.knowledgeBases === null ? null : { backend: settings.knowledgeBases, url: null };
  return [
    row('runtime', sourceOf('runtime', { block: settings.runtime, environment }), () =>
      cellsOf(runtimeSite(settings, environment)),
    ),
    row('audit', sourceOf('audit', { block: settings.audit, environment }), () =>
      cellsOf(auditSite(settings, environment)),
    ),
    row('checkpoints', sourceOf('checkpoints', { block: settings.checkpoints, environment }), () =>
      cellsOf(
        environment.isShared ? assertSharedCheckpoints(settings, environment) : journalSite(settings, environment),
      ),
    ),
    row('artifacts', artifactsSource(settings, environment), () => artifactCells(settings, environment)),
    row('memory', sourceOf('memory', { block: settings.memory, environment }), () =>
      cellsOf(memorySite(settings, environment)),
    ),
    row('fleet', sourceOf('fleet', { block: settings.fleet, environment }), () =>
      cellsOf(fleetSite(settings, environment)),
    ),
    row('knowledge_bases', sourceOf('knowledge_bases', { block: bases, environment }), () =>
      cellsOf(knowledgeSite(settings, environment)),
    ),
  ];
}

/** What an unresolved row names: the place where a person has to look. */
function sourceOf(
  store: StoreName,
  { block, environment }: { readonly block: StorageBlock | null; readonly environment: StorageEnvironment },
): string {
  const isOwn = says(block) !== null;
  if (isOwn && store === 'checkpoints') return 'storage.checkpoints';
  const { storeUrl, databaseUrl, storeBackend } = environment;
  if (storeUrl !== null || databaseUrl !== null || storeBackend !== null) return 'env';
  return isOwn ? `storage.${store}` : 'storage.runtime';
}

const artifactsSource = ({ artifacts }: StorageSettings, environment: StorageEnvironment): string =>
  artifacts?.kind === 'plugin' ? 'storage.artifacts' : sourceOf('artifacts', { block: artifacts, environment });

/** An error that is not an answer to "where does it lie" is one of kit. */
function row(store: StoreName, source: string, decide: () => Cells): StorageRow {
  try {
    return { store, ...decide(), error: null };
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_STORE_UNAVAILABLE') throw error;
    return { store, backend: UNRESOLVED, location: null, source, setting: null, error: error.message };
  }
}

const cellsOf = ({ place, source, setting }: Sited): Cells => ({
  backend: place.backend,
  location: place.backend === 'sqlite' ? WORKSPACE_LOCAL : postgresLocation(place.url),
  source,
  setting,
});

/** A database of its own, where its block says so; else it follows the runs. */
function fleetSite(settings: StorageSettings, environment: StorageEnvironment): Sited {
  const { fleet: block } = settings;
  const engine = says(block);
  const isDecided = environmentChoice(environment).kind !== 'silent';
  if (block === null || engine === null || isDecided) return runtimeSite(settings, environment);
  const source = 'storage.fleet';
  if (engine === 'sqlite') return { place: { backend: 'sqlite' }, source, setting: source };
  if (block.url !== null) {
    const setting = `${source}.url`;
    return { place: postgresAt(resolvedText(block.url, { setting, environment }), setting), source, setting };
  }
  const runtime = runtimeSite(settings, environment);
  if (runtime.place.backend === 'postgres') return { place: runtime.place, source, setting: source };
  throw new KitError('KIT_STORE_UNAVAILABLE', `${source} names postgres, and no URL says where it is`, {
    hint: `Add \`url\` under ${source}, as a reference to a variable that holds it, or remove ${source}.`,
  });
}

/**
 * Where the heartbeat rows of servers and workers lie (`storage.fleet`). Throws
 * KIT_STORE_UNAVAILABLE.
 */
export const fleetPlace = (settings: StorageSettings, environment: StorageEnvironment): StoragePlace =>
  fleetSite(settings, environment).place;

/**
 * Bytes of artifacts: beside their records, or with a plugin, which a URL of the environment leaves
 * alone.
 */
function artifactCells(settings: StorageSettings, environment: RowsEnvironment): Cells {
  const { artifacts } = settings;
  if (artifacts?.kind !== 'plugin') return cellsOf(artifactSite(settings, environment));
  if (!environment.hasArtifactStore(artifacts.plugin)) {
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `storage.artifacts names ${artifacts.plugin}, which no plugin here brings`,
    );
  }
  const text = (key: string): string => {
    const value = artifacts.config[key];
    return typeof value === 'string' ? resolvedText(value, { setting: `storage.artifacts.${key}`, environment }) : '';
  };
  const [bucket, prefix, endpoint] = [text('bucket'), text('prefix'), text('endpoint')];
  const at = endpoint === '' ? '' : ` at ${shownUrl(endpoint) ?? 'an endpoint'}`;
  const isFiles = artifacts.plugin === 'filesystem';
  const inBucket =
    bucket === ''
      ? `plugin:${artifacts.plugin}`
      : `${artifacts.plugin}://${bucket}${prefix === '' ? '' : `/${prefix}`}${at}`;
  const location = isFiles ? text('path') || 'artifacts in the state directory' : inBucket;
  return { backend: artifacts.plugin, location, source: 'storage.artifacts', setting: 'storage.artifacts' };
}
