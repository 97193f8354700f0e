import type { App } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';

/** What the manifest names under `uses`. */
export interface Used extends Pick<App, 'fleet' | 'validateWorkspace'> {
  readonly info: App['info'];
  readonly observe: Pick<App['observe'], 'gaps' | 'inert'>;
  readonly serve: Pick<App['serve'], 'current'>;
  readonly review: Pick<App['review'], 'rolesOf'>;
  readonly providers: Pick<App['providers'], 'list'>;
}

/** What the routes are given: the use cases and the workspace that is served. */
export type ServedInfo = Served<Used>;
