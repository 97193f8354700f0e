import type { JsonObject } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';

/** `storage.artifacts` of an S3 service, with its defaults but for those of the environment. */
export interface S3Config {
  readonly bucket: string;
  /** Without slashes at its ends; '' = the keys begin with the digest. */
  readonly prefix: string;
  /** Null: AWS in the region. */
  readonly endpoint: string | null;
  /** Null: AWS_REGION, else us-east-1. */
  readonly region: string | null;
  /** Names of entries under `credentials`; null: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
  readonly keyRefs: { readonly id: string; readonly secret: string } | null;
}

const textOf = (config: JsonObject, name: string): string | null => {
  const value = config[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/**
 * The host has checked it against schemas/s3.json. An empty text counts as absent, but for the
 * prefix.
 */
export function decodeConfig(config: JsonObject): S3Config {
  const [id, secret] = [textOf(config, 'access_key_ref'), textOf(config, 'secret_key_ref')];
  const prefix = typeof config.prefix === 'string' ? config.prefix : DEFAULTS.s3.prefix;
  return {
    bucket: textOf(config, 'bucket') ?? '',
    prefix: prefix.replace(/^\/+|\/+$/g, ''),
    endpoint: textOf(config, 'endpoint')?.replace(/\/+$/, '') ?? null,
    region: textOf(config, 'region'),
    keyRefs: id === null || secret === null ? null : { id, secret },
  };
}
