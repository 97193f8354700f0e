import { KitError } from '@kit-run/kit/plugin';
import { S3ServiceError } from 's3mini';

/** Where a call went, in words that hold no secret. */
export interface S3Place {
  readonly bucket: string;
  /** Host of the service. */
  readonly host: string;
}

/** The service did not begin to answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The bucket itself is not there: the client takes every 404 for an absent object. */
export class NoBucket extends Error {
  override readonly name = 'NoBucket';
}

/** Worth another try: the connection broke, or the service is busy. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer || error instanceof NoBucket) return false;
  return error instanceof S3ServiceError ? error.status === 429 || error.status >= 500 : true;
}

/**
 * What people see. Never the text of the service and never the cause: either may quote what was
 * sent.
 */
export function toFailure(error: unknown, { bucket, host }: S3Place): KitError {
  const fail = (message: string, hint: string): KitError =>
    new KitError('KIT_ARTIFACT_STORE', message, { hint, data: { bucket, host } });
  if (error instanceof NoAnswer)
    return fail(`${host} did not answer in time`, 'Look whether the service is up, then run the command again.');
  if (error instanceof NoBucket) return noBucket(fail, { bucket, host });
  if (!(error instanceof S3ServiceError)) {
    return fail(
      `${host} cannot be reached${codeOf(error)}`,
      'Check storage.artifacts.endpoint and the network, then run the command again.',
    );
  }
  const { status } = error;
  const said = `${status}${wordOf(error.serviceCode)}`;
  if (status === 404) return noBucket(fail, { bucket, host });
  if (status === 401 || status === 403) {
    return fail(
      `${host} refuses the key for bucket ${bucket}: ${said}`,
      'Check the key that storage.artifacts uses, and that it may read and write objects of the bucket.',
    );
  }
  if (status === 400 || (status >= 300 && status < 400)) {
    return fail(
      `${host} does not take requests for bucket ${bucket}: ${said}`,
      'Correct storage.artifacts.region and endpoint: the bucket lies elsewhere.',
    );
  }
  return fail(`${host} failed: ${said}`, 'Wait until the service works again, then run the command again.');
}

const noBucket = (fail: (message: string, hint: string) => KitError, { bucket, host }: S3Place): KitError =>
  fail(`there is no bucket ${bucket} at ${host}`, 'Make the bucket, or correct storage.artifacts.bucket.');

/** Only what looks like one of the service's codes. */
const wordOf = (text: string | undefined): string =>
  text !== undefined && text !== 'Unknown' && /^[A-Za-z]{3,64}$/.test(text) ? ` ${text}` : '';

/** The system's own code, wherever the client has put it. */
function codeOf(error: unknown): string {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(current.code))
      return ` (${current.code})`;
  }
  return '';
}
