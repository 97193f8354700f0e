import type { Diagnostic } from '../../domain/diagnostic.js';
import { isKitError, messageOf } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { TriggerSpec } from '../../domain/ports/triggers.js';
import type { Workspace } from '../../domain/workspace.js';
import { contributionOf } from '../triggers/open-trigger.js';

type Plugins = Pick<PluginHost, 'resolve'>;

/** Where a trigger is complained about: its configuration, or the file where it has none. */
function placeOf({ triggers }: Workspace, { id }: TriggerSpec): Pick<Diagnostic, 'path' | 'pointer' | 'span'> | null {
  const artifact = triggers.get(id);
  if (artifact === undefined) return null;
  const pointer = artifact.value.config === undefined ? '' : '/config';
  return { path: artifact.path, pointer, span: artifact.spanOf(pointer) };
}

async function problemOf(
  workspace: Workspace,
  plugins: Plugins,
  spec: TriggerSpec,
): Promise<Pick<Diagnostic, 'code' | 'severity' | 'message' | 'help'> | null> {
  const inactive = (message: string) => ({
    code: 'trigger.inactive',
    severity: 'warning' as const,
    message: `\`${spec.id}\` could not fire: ${message}`,
    help: `a server here lists it as inactive${spec.type === 'webhook' ? ', and answers deliveries to its hook with 503' : ''}`,
  });
  try {
    const type = await plugins.resolve('triggers', contributionOf(spec), spec.config);
    const reason = await type.ready({ workspaceRoot: workspace.root });
    return reason === null ? null : inactive(reason);
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_PLUGIN_CONFIG_INVALID') return inactive(messageOf(error));
    return { code: 'trigger.bad-config', severity: 'error', message: error.message };
  }
}

/**
 * What the types of enabled triggers say of their configuration here and now: one that can never
 * work is an error, one that something is missing for is a warning. Nothing starts, and nothing is
 * fired.
 */
export async function triggerDiagnostics(workspace: Workspace, plugins: Plugins): Promise<readonly Diagnostic[]> {
  const enabled = [...workspace.triggerSpecs.values()].filter((spec) => spec.enabled);
  const found = await Promise.all(
    enabled.map(async (spec) => ({
      place: placeOf(workspace, spec),
      problem: await problemOf(workspace, plugins, spec),
    })),
  );
  return found.flatMap(({ place, problem }) => (place === null || problem === null ? [] : [{ ...place, ...problem }]));
}
