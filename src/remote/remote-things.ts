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
    const fields = fieldsOf(await client.read(client.http.GET('/artifacts', { params: { query } })));
    return objectsAt(fields, 'artifacts').map(recordOf);
  },
  get: async ({ ref }) => {
    const params = { path: { '*': ref } };
    const fields = fieldsOf(await client.read(client.http.GET('/artifacts/{*}', { params })));
    const content = textAt(fields, 'content');
    const bytes = fields.encoding === 'base64' ? Buffer.from(content, 'base64') : new TextEncoder().encode(content);
    return { record: recordOf(fields), bytes };
  },
});

const recordOf = (fields: Fields): ArtifactRecord => ({
  ref: textAt(fields, 'ref'),
  correlation: maybeTextAt(fields, 'correlation_id') || textAt(fields, 'run_id'),
  runId: textAt(fields, 'run_id'),
  name: textAt(fields, 'name'),
  sha256: textAt(fields, 'sha256'),
  mediaType: textAt(fields, 'media_type'),
  sizeBytes: numberAt(fields, 'size_bytes'),
  createdAt: textAt(fields, 'created_at'),
});

/**
 * What harnesses of runs of a server changed; to bring it home is for the machine that has the
 * repository.
 */
export const remoteChanges = (context: RemoteContext): Pick<ChangesApp, 'read'> => ({
  read: async ({ run, agent }) => {
    const { client } = context;
    const params = { path: { id: run }, query: agent === null ? {} : { agent } };
    const fields = fieldsOf(await client.read(client.http.GET('/jobs/{id}/changes', { params })));
    return {
      job: await findRun(context, textAt(fields, 'run_id')),
      changes: objectsAt(fields, 'changes').map(changeOf),
    };
  },
});

function changeOf(fields: Fields): AgentChange {
  const signed = maybeObjectAt(fields, 'signed');
  return {
    agentId: textAt(fields, 'agent_id'),
    activation: textAt(fields, 'activation'),
    diff: textAt(fields, 'diff'),
    sha256: textAt(fields, 'sha256'),
    files: objectsAt(fields, 'files').map((file) => ({
      path: textAt(file, 'path'),
      oldPath: maybeTextAt(file, 'old_path'),
      change: textAt(file, 'change') as ChangedFile['change'],
      isBinary: isTrueAt(file, 'binary'),
      added: numberAt(file, 'added'),
      removed: numberAt(file, 'removed'),
    })),
    state: textAt(fields, 'state') as AgentChange['state'],
    reason: maybeTextAt(fields, 'reason'),
    baseCommit: maybeTextAt(fields, 'base_commit'),
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

function providerOf(fields: Fields): ProviderDetails {
  const auth = maybeObjectAt(fields, 'auth');
  const models = fieldsOf(fields.models);
  const can = maybeObjectAt(fields, 'capabilities');
  return {
    id: textAt(fields, 'id'),
    family: maybeTextAt(fields, 'family'),
    chain: textsAt(fields, 'chain'),
    source: textAt(fields, 'source') as ProviderDetails['source'],
    path: maybeTextAt(fields, 'path'),
    state: stateOf(fields),
    baseUrl: maybeTextAt(fields, 'base_url'),
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
    liftToRoot: Array.isArray(fields.lift_to_root) ? textsAt(fields, 'lift_to_root') : null,
    headers: textMapAt(fields, 'headers'),
    extraBody: jsonAt(fields, 'extra_body'),
    contextWindow: maybeNumberAt(fields, 'context_window'),
    limits: jsonAt(fields, 'limits'),
    prices: objectsAt(fields, 'prices') as readonly JsonObject[],
  };
}

const jsonAt = (fields: Fields, name: string): JsonObject => fieldsOf(fields[name]) as JsonObject;

function stateOf(fields: Fields): ProviderState {
  if (fields.state === 'ready') return { kind: 'ready', variable: maybeTextAt(fields, 'variable') };
  if (fields.state === 'needs') return { kind: 'needs', variable: textAt(fields, 'variable') };
  return { kind: 'invalid', reason: textAt(fields, 'reason') };
}
