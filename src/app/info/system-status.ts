import { looksSecret } from '../../compile/interpolate/references.js';
import type { SourceFile } from '../../domain/diagnostic.js';
import { ENV_REGISTRY, PROVIDER_VARIABLES } from '../../domain/env.js';
import type { PluginHost, PluginReport } from '../../domain/extension-points.js';
import { INTERFACE_LEVEL } from '../../domain/interface-level.js';
import type { JsonObject } from '../../domain/json.js';
import type { SignIn } from '../../domain/ports/http.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Workspace } from '../../domain/workspace.js';
import { mapTexts } from '../../lib/map-texts.js';
import { withoutPasswords } from '../../lib/show-url.js';
import type { SystemPlugin, SystemProperty, SystemReport, SystemVariable } from '../../view/system-report.js';
import type { ObserveApp } from '../observe/observe-app.js';
import { openWorkspaceFiles, readPropertyFile } from '../workspace-files.js';
import type { WorkspaceReport } from '../workspace-report.js';
import type { InfoApp } from './info-app.js';
import { type StorageStatusDeps, storageStatus } from './storage-status.js';

/** What stands for the value of a secret. */
const SET = 'set';

/**
 * Every variable that kit or one of its providers reads, in the order of the registry. A secret
 * shows as `set`; of a URL the parts that can hold a password are taken out, and one that cannot be
 * read shows as `set` too.
 */
function systemEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly SystemVariable[] {
  return [
    ...ENV_REGISTRY.map(({ name, scope, description }) => ({ name, group: scope, description })),
    ...PROVIDER_VARIABLES.map(({ name, description }) => ({ name, group: 'provider' as const, description })),
  ].map((variable) => ({ ...variable, ...shown(variable.name, environment[variable.name] ?? '') }));
}

function shown(name: string, value: string): Pick<SystemVariable, 'isSet' | 'value' | 'isSensitive'> {
  // Headers are where keys are sent.
  const isSensitive = looksSecret(name) || name.endsWith('_HEADERS');
  if (value === '') return { isSet: false, value: null, isSensitive };
  return { isSet: true, value: isSensitive ? SET : shownValue(name, value), isSensitive };
}

/** A connection string of another form than a URL may hold a password anywhere. */
const shownValue = (name: string, value: string): string =>
  name.endsWith('_URL') && !value.includes('://') ? SET : (withoutPasswords(value) ?? SET);

type SystemDeps = Pick<
  InfoDeps,
  | 'files'
  | 'environment'
  | 'stateDirOf'
  | 'plugins'
  | 'openStores'
  | 'now'
  | 'versions'
  | 'maskOf'
  | 'validate'
  | 'role'
>;

/**
 * See `InfoApp.system`. Secrets are left out by name; whatever is known to be one is masked a
 * second time, wherever it stands.
 */
export async function systemStatus(workspace: string, deps: SystemDeps): Promise<SystemReport> {
  const place = await openWorkspaceFiles(workspace, deps.files);
  const [{ report: storage, growth }, properties, versions, host, mask, report] = await Promise.all([
    storageStatus(workspace, deps),
    readPropertyFile(place, deps.environment.KIT_ENV ?? null).then((file) => systemProperties(file, deps.environment)),
    deps.versions(),
    deps.plugins(),
    deps.maskOf(workspace),
    deps.validate(workspace),
  ]);
  const shown = {
    workspace: report.workspace === null ? null : { id: report.workspace.id, name: report.workspace.name },
    storage,
    growth,
    properties,
    environment: systemEnvironment(deps.environment),
    plugins: host.report().map(pluginOf),
    launches: report.launches.map(({ kind, id, argv }) => ({ kind, id, argv })),
    knowledgeBases: report.knowledge,
  };
  return {
    root: place.root,
    role: deps.role(),
    version: versions.kit,
    schemaVersion: INTERFACE_LEVEL,
    nodeVersion: versions.node,
    ...mapTexts(shown, mask),
  };
}

const pluginOf = ({ name, version, origin, state, code, message, contributions }: PluginReport): SystemPlugin => ({
  name,
  version,
  origin,
  state,
  code,
  message,
  contributions: contributions.map(({ point, id }) => `${point} ${id}`),
});

/** Real parts behind the use cases. */
export interface InfoDeps extends Omit<StorageStatusDeps, 'plugins'> {
  readonly plugins: () => Promise<Pick<PluginHost, 'find' | 'report'>>;
  readonly versions: () => Promise<{ readonly kit: string; readonly node: string }>;
  /** Masks every secret that is known of a workspace and of the environment. */
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
  readonly validate: (workspace: string) => Promise<WorkspaceReport>;
  /**
   * What runs are compiled from: a server's own until it is reloaded. Throws KIT_WORKSPACE_INVALID.
   */
  readonly loadWorkspace: (workspace: string) => Promise<Workspace>;
  /** Ids of everything that an agent of the workspace may name. */
  readonly providerIds: (workspace: string) => Promise<readonly string[]>;
  /** What the auth provider in force says of itself. */
  readonly authInfo: InfoApp['authInfo'];
  /** How people sign in through a browser; null = they do not. */
  readonly signIn: (workspace: string) => Promise<SignIn | null>;
  /** Opens the store without reading other artifacts; null when nothing was ever run. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  readonly trace: ObserveApp['trace'];
  /** Milliseconds since the epoch. */
  readonly now: () => Promise<number>;
  /** A document of the kind schemas that come with kit. */
  readonly readSchema: (file: string) => Promise<JsonObject | null>;
}

/**
 * The properties of `workspace.env.yaml`, sorted by name. Secret is what `secrets:` lists and what
 * its name says is one: declaring adds to the masked set and never takes away. A file that cannot
 * be read has none; `kit validate` says why.
 */
async function systemProperties(
  file: SourceFile | null,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly SystemProperty[]> {
  if (file === null) return [];
  const { loadProperties, looksSecret } = await import('../../compile/compile-workspace.js');
  const { values, secrets } = loadProperties(file, (name) => environment[name]);
  return [...values]
    .map(([name, value]): SystemProperty => {
      const isSensitive = secrets.has(name) || looksSecret(name);
      return { name, value: isSensitive ? SET : (withoutPasswords(value) ?? SET), isSensitive };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
