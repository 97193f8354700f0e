import type { RunProof } from './proof.js';

export const ARTIFACT_ENV = {
  S3_ID: 'AN-ID',
  S3_OTHER_ID: 'ANOTHER-ID',
  S3_SECRET: 'the secret of the bucket',
} as const;

const BASE = 'Workspace.storage.artifacts';
const entry = (env: string) => ({ source: 'env', config: { env } });

/** Nothing listens there: what is shown is which database was asked. */
const nowhere = (name: string): string => `postgres://127.0.0.1:1/${name}`;

/** What proves the keys of `storage.artifacts`, each with the service at this address. */
export function artifactProofs(endpoint: string): readonly RunProof[] {
  const credentials = {
    id: entry('S3_ID'),
    other: entry('S3_OTHER_ID'),
    secret: entry('S3_SECRET'),
    unset: entry('S3_UNSET'),
  };
  const s3 = { backend: 's3', bucket: 'one', endpoint, access_key_ref: 'id', secret_key_ref: 'secret' };
  const given = { 'Workspace.credentials': credentials, [BASE]: s3 };
  const { backend: _, ...config } = s3;
  const plugin = { 'Workspace.credentials': credentials, [BASE]: { backend: 'plugin', provider_id: 's3', config } };
  return [
    { key: `${BASE}.backend`, a: 'database', b: 'postgres', refuses: 'KIT_STORE_UNAVAILABLE' },
    { key: `${BASE}.path`, a: 'here', b: 'topologies/there', given: { [BASE]: { backend: 'filesystem' } } },
    { key: `${BASE}.bucket`, a: 'one', b: 'two', given },
    { key: `${BASE}.prefix`, a: 'left', b: 'right', given },
    { key: `${BASE}.endpoint`, a: endpoint, b: `${endpoint}/below`, given },
    { key: `${BASE}.region`, a: 'eu-central-1', b: 'us-west-2', given },
    { key: `${BASE}.access_key_ref`, a: 'id', b: 'other', given },
    { key: `${BASE}.secret_key_ref`, a: 'secret', b: 'unset', given, refuses: 'KIT_CREDENTIAL_UNRESOLVED' },
    {
      key: `${BASE}.database_url`,
      a: nowhere('runs'),
      b: nowhere('elsewhere'),
      given: { [BASE]: { backend: 'postgres' } },
      refusesBoth: 'KIT_STORE_UNAVAILABLE',
    },
    { key: `${BASE}.provider_id`, a: 's3', b: 'nobody', given: plugin, refuses: 'KIT_PLUGIN_UNKNOWN' },
    { key: `${BASE}.config`, a: config, b: { ...config, bucket: 'two' }, given: plugin },
  ];
}

/** The keys that are proven, wherever the service listens. */
export const ARTIFACT_PROOFS: readonly RunProof[] = artifactProofs('http://127.0.0.1:1');
