import { KitError } from '../../domain/errors.js';
import type { Interpolated } from '../../lib/interpolate-text.js';

/** What resolving needs beside the settings. Empty variables count as unset. */
export interface StorageEnvironment {
  /** `KIT_STORE_URL`; null = unset. */
  readonly storeUrl: string | null;
  /** `DATABASE_URL`; null = unset. */
  readonly databaseUrl: string | null;
  /** `KIT_STORE_BACKEND` as it stands; null = unset. */
  readonly storeBackend: string | null;
  readonly resolve: (text: string) => Interpolated;
}

/** The variables that place the stores, read from an environment. */
export const storageEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
  resolve: StorageEnvironment['resolve'],
): StorageEnvironment => ({
  storeUrl: env.KIT_STORE_URL || null,
  databaseUrl: env.DATABASE_URL || null,
  storeBackend: env.KIT_STORE_BACKEND || null,
  resolve,
});

/**
 * What the environment says: nothing, a URL (which names its backend), or that the backend is
 * forced; a forced PostgreSQL without a URL of the environment takes that of the workspace.
 */
export type EnvironmentChoice =
  | { readonly kind: 'silent' }
  | { readonly kind: 'sqlite' }
  | { readonly kind: 'postgres' }
  | { readonly kind: 'url'; readonly url: string; readonly setting: string };

/**
 * `KIT_STORE_URL`, else `DATABASE_URL`; `KIT_STORE_BACKEND` forces the backend, and so keeps a
 * workspace local on a machine whose `DATABASE_URL` belongs to another program.
 *
 * Throws KIT_STORE_UNAVAILABLE for another backend, and for `sqlite` beside `KIT_STORE_URL`: both
 * are kit's own, and say different things.
 */
export function environmentChoice({
  storeUrl,
  databaseUrl,
  storeBackend,
}: Omit<StorageEnvironment, 'resolve'>): EnvironmentChoice {
  if (storeBackend !== null && storeBackend !== 'sqlite' && storeBackend !== 'postgres') {
    throw new KitError('KIT_STORE_UNAVAILABLE', 'KIT_STORE_BACKEND is neither sqlite nor postgres', {
      hint: 'Set it to sqlite or postgres, or unset it.',
    });
  }
  if (storeBackend === 'sqlite') {
    if (storeUrl === null) return { kind: 'sqlite' };
    throw new KitError('KIT_STORE_UNAVAILABLE', 'KIT_STORE_BACKEND says sqlite, and KIT_STORE_URL names a server', {
      hint: 'Unset one of them.',
    });
  }
  if (storeUrl !== null) return { kind: 'url', url: storeUrl, setting: 'KIT_STORE_URL' };
  if (databaseUrl !== null) return { kind: 'url', url: databaseUrl, setting: 'DATABASE_URL' };
  return { kind: storeBackend === null ? 'silent' : 'postgres' };
}
