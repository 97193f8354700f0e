import type { ArtifactsApp } from '../app/artifacts/artifacts-app.js';
import type { ChangesApp } from '../app/changes/changes-app.js';
import { providerCalled } from '../app/providers/provider-called.js';
import type { ProviderDetails, ProviderState, ProvidersApp } from '../app/providers/providers-app.js';
import type { AgentChange, ChangedFile, SignedChange } from '../domain/changes.js';
import type { JsonObject } from '../domain/json.js';
import type { ArtifactRecord } from '../domain/ports/artifacts.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  maybeNumberAt,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from '../lib/read-json.js';
import { findRun, type RemoteContext } from './remote-context.js';

/** Artifacts of runs of a server. */
export const remoteArtifacts = ({ client }: RemoteContext): ArtifactsApp => ({
  list: async ({ correlation, run, limit }) => {
    const query = {
      limit,
      ...(correlation === null ? {} : { correlation_id: correlation }),
      ...(run === null ? {} : { run_id: run }),
    };
    const told = fieldsOf(await client.read(client.http.GET('/artifacts', { params: { query } })));
    return objectsAt(told, 'artifacts').map(recordOf);
  },
  get: async ({ ref }) => {
    const params = { path: { '*': ref } };
    const told = fieldsOf(await client.read(client.http.GET('/artifacts/{*}', { params })));
    const content = textAt(told, 'content');
    const bytes = told.encoding === 'base64' ? Buffer.from(content, 'base64') : new TextEncoder().encode(content);
    return { record: recordOf(told), bytes };
  },
});

const recordOf = (told: Fields): ArtifactRecord => ({
  ref: textAt(told, 'ref'),
  correlation: maybeTextAt(told, 'correlation_id') || textAt(told, 'run_id'),
  runId: textAt(told, 'run_id'),
  name: textAt(told, 'name'),
  sha256: textAt(told, 'sha256'),
  mediaType: textAt(told, 'media_type'),
  sizeBytes: numberAt(told, 'size_bytes'),
  createdAt: textAt(told, 'created_at'),
});

/**
 * What harnesses of runs of a server changed; to bring it home is for the machine that has the
 * repository.
 */
export const remoteChanges = (context: RemoteContext): Pick<ChangesApp, 'read'> => ({
  read: async ({ run, agent }) => {
    const { client } = context;
    const params = { path: { id: run }, query: agent === null ? {} : { agent } };
    const told = fieldsOf(await client.read(client.http.GET('/jobs/{id}/changes', { params })));
    return {
      job: await findRun(context, textAt(told, 'run_id')),
      changes: objectsAt(told, 'changes').map(changeOf),
    };
  },
});

function changeOf(told: Fields): AgentChange {
  const signed = maybeObjectAt(told, 'signed');
  return {
    agentId: textAt(told, 'agent_id'),
    activation: textAt(told, 'activation'),
    diff: textAt(told, 'diff'),
    sha256: textAt(told, 'sha256'),
    files: objectsAt(told, 'files').map((file) => ({
      path: textAt(file, 'path'),
      oldPath: maybeTextAt(file, 'old_path'),
      change: textAt(file, 'change') as ChangedFile['change'],
      isBinary: isTrueAt(file, 'binary'),
      added: numberAt(file, 'added'),
      removed: numberAt(file, 'removed'),
    })),
    state: textAt(told, 'state') as AgentChange['state'],
    reason: maybeTextAt(told, 'reason'),
    baseCommit: maybeTextAt(told, 'base_commit'),
    signed:
      signed === null
        ? null
        : {
            gateId: textAt(signed, 'gate_id'),
            round: numberAt(signed, 'round'),
            status: textAt(signed, 'status') as SignedChange['status'],
            by: textsAt(signed, 'by'),
            artifactSha256: textAt(signed, 'artifact_sha256'),
            isSame: isTrueAt(signed, 'same_bytes'),
          },
  };
}

/** Providers as the server could call them. */
export function remoteProviders({ client }: RemoteContext): ProvidersApp {
  const list = async (): Promise<readonly ProviderDetails[]> =>
    objectsAt(fieldsOf(await client.read(client.http.GET('/providers'))), 'providers').map(providerOf);
  return {
    list: async () => ({ providers: await list() }),
    show: async (_directory, id) => providerCalled(id, await list()),
  };
}

function providerOf(told: Fields): ProviderDetails {
  const auth = maybeObjectAt(told, 'auth');
  const models = fieldsOf(told.models);
  const can = maybeObjectAt(told, 'capabilities');
  return {
    id: textAt(told, 'id'),
    family: maybeTextAt(told, 'family'),
    chain: textsAt(told, 'chain'),
    source: textAt(told, 'source') as ProviderDetails['source'],
    path: maybeTextAt(told, 'path'),
    state: stateOf(told),
    baseUrl: maybeTextAt(told, 'base_url'),
    auth:
      auth === null
        ? null
        : {
            variable: textAt(auth, 'api_key_env'),
            header: textAt(auth, 'header'),
            scheme: textAt(auth, 'scheme'),
            isSet: isTrueAt(auth, 'is_set'),
          },
    models: { pattern: maybeTextAt(models, 'pattern'), acceptAny: isTrueAt(models, 'accept_any') },
    capabilities:
      can === null
        ? null
        : {
            images: isTrueAt(can, 'images'),
            tools: isTrueAt(can, 'tools'),
            streaming: isTrueAt(can, 'streaming'),
            structuredOutput: isTrueAt(can, 'structured_output'),
          },
    liftToRoot: Array.isArray(told.lift_to_root) ? textsAt(told, 'lift_to_root') : null,
    headers: textMapAt(told, 'headers'),
    extraBody: jsonAt(told, 'extra_body'),
    contextWindow: maybeNumberAt(told, 'context_window'),
    limits: jsonAt(told, 'limits'),
    prices: objectsAt(told, 'prices') as readonly JsonObject[],
  };
}

const jsonAt = (told: Fields, name: string): JsonObject => fieldsOf(told[name]) as JsonObject;

function stateOf(told: Fields): ProviderState {
  if (told.state === 'ready') return { kind: 'ready', variable: maybeTextAt(told, 'variable') };
  if (told.state === 'needs') return { kind: 'needs', variable: textAt(told, 'variable') };
  return { kind: 'invalid', reason: textAt(told, 'reason') };
}
