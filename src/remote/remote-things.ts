import type { ArtifactsApp } from '../app/artifacts/artifacts-app.js';
import type { ChangesApp } from '../app/changes/changes-app.js';
import { providerCalled } from '../app/providers/provider-called.js';
import type { ProviderDetails, ProviderState, ProvidersApp } from '../app/providers/providers-app.js';
import type { ArtifactRecord } from '../domain/ports/artifacts.js';
import { type ARTIFACT, ARTIFACTS, CONTENT } from '../view/schemas/artifact.js';
import { CHANGES } from '../view/schemas/change.js';
import { type PROVIDER, PROVIDERS } from '../view/schemas/provider.js';
import type { HeldOf } from '../view/schemas/words.js';
import { findRun, type RemoteContext } from './remote-context.js';

/** Artifacts of runs of a server. */
export const remoteArtifacts = ({ client }: RemoteContext): ArtifactsApp => ({
  list: async ({ correlation, run, limit }) => {
    const query = {
      limit,
      ...(correlation === null ? {} : { correlation_id: correlation }),
      ...(run === null ? {} : { run_id: run }),
    };
    return (await client.readAs(ARTIFACTS, client.http.GET('/artifacts', { params: { query } }))).artifacts.map(
      recordOf,
    );
  },
  get: async ({ ref }) => {
    const params = { path: { ref } };
    const answer = await client.readAs(CONTENT, client.http.GET('/artifacts/{ref}', { params }));
    const { content, encoding, length: _, ...record } = answer;
    const bytes = encoding === 'base64' ? Buffer.from(content, 'base64') : new TextEncoder().encode(content);
    return { record: recordOf(record), bytes };
  },
});

const recordOf = ({ correlation, ...answer }: HeldOf<typeof ARTIFACT>): ArtifactRecord => ({
  ...answer,
  correlation: correlation || answer.runId,
});

/**
 * What harnesses of runs of a server changed; to bring it home is for the machine that has the
 * repository.
 */
export const remoteChanges = (context: RemoteContext): Pick<ChangesApp, 'read'> => ({
  read: async ({ run, agent }) => {
    const { client } = context;
    const params = { path: { id: run }, query: agent === null ? {} : { agent } };
    const { runId, changes } = await client.readAs(CHANGES, client.http.GET('/jobs/{id}/changes', { params }));
    return { job: await findRun(context, runId), changes };
  },
});

/** Providers as the server could call them. */
export function remoteProviders({ client }: RemoteContext): ProvidersApp {
  const list = async (): Promise<readonly ProviderDetails[]> => {
    const { providers } = await client.readAs(PROVIDERS, client.http.GET('/providers'));
    return providers.map((answer) => ({ ...answer, state: stateOf(answer) }));
  };
  return {
    list: async () => ({ providers: await list() }),
    show: async (_directory, id) => providerCalled(id, await list()),
  };
}

function stateOf({ state, variable, reason }: HeldOf<typeof PROVIDER>): ProviderState {
  if (state === 'ready') return { kind: 'ready', variable };
  if (state === 'needs') return { kind: 'needs', variable: variable ?? '' };
  return { kind: 'invalid', reason: reason ?? '' };
}
