import type { RunRequest } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Ids } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { drawOf, pickVersion, routeKey, weightsOf } from '../../govern/canary.js';

/** What choosing looks at. */
export interface ChooseDeps {
  readonly ids: Pick<Ids, 'uuid'>;
  readonly openStores: () => Promise<Pick<Stores, 'jobs' | 'serving'>>;
}

/** What the choice adds to a request. */
export type Chosen = Pick<RunRequest, 'topology' | 'route'>;

/**
 * The version that a bare name means where a canary route splits its traffic; a version that was
 * asked for stays. The choice is made once a run and kept on its job. Runs of one correlation id
 * stay on the version of the first of them, as long as the route has it.
 */
export async function chooseVersion(
  deps: ChooseDeps,
  workspace: Pick<Workspace, 'id' | 'server'>,
  request: Pick<RunRequest, 'topology' | 'correlationId'>,
): Promise<Chosen> {
  const { topology, correlationId } = request;
  const route = workspace.server.canary.find((entry) => entry.topology === topology);
  if (route === undefined) return { topology };
  const stores = await deps.openStores();
  const key = routeKey(workspace.id, route);
  const { override } = await stores.serving.canary.state(key);
  const earlier =
    correlationId === null ? undefined : (await stores.jobs.list({ correlationId, topology, limit: 1 }))[0];
  const kept = route.versions.find(({ version }) => version === earlier?.version)?.version;
  const draw = drawOf(correlationId === null ? deps.ids.uuid() : `${topology} ${correlationId}`);
  return { topology: `${topology}@${kept ?? pickVersion(route, weightsOf(route, override), draw)}`, route: key };
}
