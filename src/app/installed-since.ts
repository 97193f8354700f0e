import type { Diagnostic } from '../domain/diagnostic.js';
import { isKitError, KitError } from '../domain/errors.js';
import type { PluginHost } from '../domain/extension-points.js';
import {
  installedSince,
  START_AGAIN,
  START_AGAIN_HINT,
  type WantedContribution,
} from '../domain/missing-contribution.js';

/** Who knows what was installed after the start; absent = nothing was. */
export type InstalledSince = Partial<Pick<PluginHost, 'installedSince'>>;

/**
 * What a plugin brings that was installed after this process started is not missing: the process
 * has to be started again, and each diagnostic that misses it says so.
 */
export async function withInstalled(
  diagnostics: readonly Diagnostic[],
  { installedSince: find }: InstalledSince,
): Promise<readonly Diagnostic[]> {
  if (find === undefined || diagnostics.every(({ wants }) => wants === undefined)) return diagnostics;
  return Promise.all(
    diagnostics.map(async (diagnostic) => {
      const { wants, message, help: _help, ...rest } = diagnostic;
      const plugin = wants === undefined ? null : await find(wants.point, wants.name);
      if (plugin === null) return diagnostic;
      return { ...rest, message: `${message}; ${installedSince(plugin)}: ${START_AGAIN}` };
    }),
  );
}

/** The same of a refusal, which names in `data.wants` what it misses. */
export async function namingInstalled(error: unknown, { installedSince: find }: InstalledSince): Promise<unknown> {
  if (find === undefined || !isKitError(error) || error.data.wants === undefined) return error;
  const { point, name } = error.data.wants as WantedContribution; // as the checks of a submit write it
  const plugin = await find(point, name);
  if (plugin === null) return error;
  return new KitError(error.code, `${error.message}; ${installedSince(plugin)}`, {
    hint: START_AGAIN_HINT,
    data: error.data,
  });
}
