import { type ArtifactBytes, KitError, type PluginContext, type Secrets } from '@kit-run/kit/plugin';
import { S3mini, S3ServiceError } from 's3mini';
import type { S3Config } from './config.js';
import { isPassing, NoAnswer, NoBucket, toFailure } from './failure.js';

/** What a call needs of its surroundings. */
type CallParts = Pick<PluginContext, 'fetch' | 'clock' | 'signal'>;

/**
 * Until the service begins to answer; what is sent gets as long as a line of 100 kB a second needs.
 */
const ANSWER_MS = 30_000;
const BYTES_PER_MS = 100;
/** Waits between the tries of one call. */
const PAUSES_MS = [250, 1000] as const;

/**
 * The fetch of one call: no redirect, which would carry the signed request elsewhere, and no wait
 * without end.
 */
function callFetch({ fetch, clock, signal }: CallParts, sentBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const tooLate = new AbortController();
    const answered = new AbortController();
    void clock.sleep(ANSWER_MS + sentBytes / BYTES_PER_MS, answered.signal).then(
      () => tooLate.abort(new NoAnswer('no answer in time')),
      () => undefined,
    );
    try {
      const response = await fetch(input, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.any([signal, tooLate.signal]),
      });
      if (response.status === 404 && init?.method === 'GET' && (await response.clone().text()).includes('NoSuchBucket'))
        throw new NoBucket('no such bucket');
      return response;
    } finally {
      answered.abort();
    }
  };
}

/** Tries again what failed for a passing reason: putting and getting by digest can be repeated. */
async function withRetries<T>({ clock, signal }: CallParts, work: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
  return work();
}

const DEFAULT_REGION = 'us-east-1';
const MEDIA_TYPE = 'application/octet-stream';

/**
 * Bytes of artifacts as objects `<prefix>/<sha256>`. One request puts an object: the service shows
 * it whole or not at all, and a cut upload leaves nothing, or (with services that write in place)
 * something of another length, which the next put replaces. kit checks the digest of everything it
 * reads.
 */
export function createS3Store(config: S3Config, context: PluginContext): ArtifactBytes {
  const { secrets, signal } = context;
  const region = (): string => config.region ?? secrets.env('AWS_REGION') ?? DEFAULT_REGION;
  const endpoint = (): string => config.endpoint ?? `https://s3.${region()}.amazonaws.com`;
  const keyOf = (sha256: string): string => (config.prefix === '' ? sha256 : `${config.prefix}/${sha256}`);

  /**
   * A client for one call: the key is read anew each time. The bucket stands in the path, which
   * every service understands.
   */
  async function call<T>(sentBytes: number, work: (s3: S3mini) => Promise<T>): Promise<T> {
    const key = await readKey(config, secrets);
    const address = endpoint();
    const s3 = new S3mini({
      accessKeyId: key.id,
      secretAccessKey: key.secret,
      endpoint: `${address}/${config.bucket}`,
      region: region(),
      fetch: callFetch(context, sentBytes),
    });
    try {
      return await withRetries(context, () => work(s3));
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error, { bucket: config.bucket, host: new URL(address).host });
    }
  }

  return {
    put: (sha256, bytes) =>
      call(bytes.byteLength, async (s3) => {
        if ((await lengthOf(s3, keyOf(sha256))) === bytes.byteLength) return;
        await s3.putObject(keyOf(sha256), bytes, MEDIA_TYPE);
      }),
    get: (sha256) =>
      call(0, async (s3) => {
        const bytes = await s3.getObjectArrayBuffer(keyOf(sha256));
        return bytes === null ? null : new Uint8Array(bytes);
      }),
  };
}

/**
 * Null for every refusal: a key may be allowed to write and not to look, and what is wrong the put
 * itself says best.
 */
async function lengthOf(s3: S3mini, key: string): Promise<number | null> {
  try {
    return await s3.getContentLength(key);
  } catch (error) {
    // The client wraps what went wrong.
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (cause instanceof S3ServiceError) return null;
    throw cause;
  }
}

/** A key of the service. */
interface S3Key {
  readonly id: string;
  readonly secret: string;
}

/**
 * The key, asked for at each call and kept nowhere: a rotated one is used from the next call on.
 * Throws KIT_ARTIFACT_STORE for one that is missing or cannot be used, KIT_CREDENTIAL_UNRESOLVED
 * for a reference that leads nowhere.
 */
async function readKey({ keyRefs }: S3Config, secrets: Secrets): Promise<S3Key> {
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
