import { isAbsolute, join } from 'node:path';
import { KitError } from '../domain/errors.js';
import type { Files } from '../domain/ports/system.js';
import { parseSecretReference } from '../lib/secret-reference.js';

export interface ReferenceDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Pick<Files, 'readText'>;
  /** Relative files lie below it. */
  readonly workspaceRoot: string;
  readonly credential: (ref: string) => Promise<string>;
}

const unresolved = (message: string, hint: string): KitError =>
  new KitError('KIT_CREDENTIAL_UNRESOLVED', message, { hint });

/**
 * The value behind a reference. Throws KIT_CREDENTIAL_UNRESOLVED, naming what is missing and never
 * a value.
 */
export async function resolveReference(text: string, deps: ReferenceDeps): Promise<string> {
  const reference = parseSecretReference(text);
  if (reference === null)
    throw unresolved(
      'a secret is not given by reference',
      'Write env:NAME, file:PATH or credentials:NAME, and never the secret itself.',
    );
  switch (reference.kind) {
    case 'env': {
      const value = deps.env[reference.name]?.trim();
      if (value === undefined || value === '')
        throw unresolved(`the environment variable ${reference.name} is not set`, `Set ${reference.name}.`);
      return value;
    }
    case 'file':
      return fromFile(reference.path, deps);
    case 'credential':
      return deps.credential(reference.ref);
  }
}

/**
 * Relative paths lie below the workspace; `~` is the home directory. The end of the file's last
 * line is not part of the secret.
 */
async function fromFile(path: string, deps: ReferenceDeps): Promise<string> {
  const home = deps.env.HOME ?? '';
  const expanded = home !== '' && /^~(?=$|\/)/.test(path) ? `${home}${path.slice(1)}` : path;
  const text = await deps.files
    .readText(isAbsolute(expanded) ? expanded : join(deps.workspaceRoot, expanded))
    .catch(() => null);
  if (text === null)
    throw unresolved(`the file ${path} cannot be read`, `Create ${path}, readable for the user that kit runs as.`);
  const value = text.trim();
  if (value === '') throw unresolved(`the file ${path} is empty`, `Write the secret into ${path}.`);
  return value;
}
