import { KitError, type Secrets } from '@kit-run/kit/plugin';
import type { S3Config } from './config.js';

/** A key of the service. */
export interface S3Key {
  readonly id: string;
  readonly secret: string;
}

/**
 * The key, asked for at each call and kept nowhere: a rotated one is used from the next call on.
 * Throws KIT_ARTIFACT_STORE for one that is missing or cannot be used, KIT_CREDENTIAL_UNRESOLVED
 * for a reference that leads nowhere.
 */
export async function readKey({ keyRefs }: S3Config, secrets: Secrets): Promise<S3Key> {
  if (keyRefs !== null) {
    const [id, secret] = await Promise.all([secrets.credential(keyRefs.id), secrets.credential(keyRefs.secret)]);
    return { id, secret };
  }
  const [id, secret] = [secrets.env('AWS_ACCESS_KEY_ID'), secrets.env('AWS_SECRET_ACCESS_KEY')];
  if (id === null || secret === null) {
    const missing = id === null ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    throw new KitError('KIT_ARTIFACT_STORE', `the artifact store s3 has no key: ${missing} is not set`, {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name entries of `credentials` in storage.artifacts: access_key_ref and secret_key_ref.',
    });
  }
  // The S3 client does not send the token, and without it the service calls the key unknown.
  if (secrets.env('AWS_SESSION_TOKEN') !== null) {
    throw new KitError(
      'KIT_ARTIFACT_STORE',
      'the artifact store s3 cannot use the temporary key that AWS_SESSION_TOKEN belongs to',
      {
        hint: 'Use a key without a session token, named by storage.artifacts.access_key_ref and secret_key_ref.',
      },
    );
  }
  return { id, secret };
}
