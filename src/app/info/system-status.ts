import type { PluginReport } from '../../domain/extension-points.js';
import { INTERFACE_LEVEL } from '../../domain/interface-level.js';
import { mapTexts } from '../../lib/map-texts.js';
import type { SystemPlugin, SystemReport } from '../../view/system-report.js';
import { openWorkspaceFiles, readPropertyFile } from '../workspace-files.js';
import type { InfoDeps } from './create-info-app.js';
import { storageStatus } from './storage-status.js';
import { systemEnvironment } from './system-environment.js';
import { systemProperties } from './system-properties.js';

type SystemDeps = Pick<
  InfoDeps,
  'files' | 'environment' | 'stateDirOf' | 'plugins' | 'openStores' | 'versions' | 'maskOf' | 'validate' | 'role'
>;

/**
 * See `InfoApp.system`. Secrets are left out by name; whatever is known to be one is masked a
 * second time, wherever it stands.
 */
export async function systemStatus(workspace: string, deps: SystemDeps): Promise<SystemReport> {
  const place = await openWorkspaceFiles(workspace, deps.files);
  const [storage, properties, versions, host, mask, report] = await Promise.all([
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
