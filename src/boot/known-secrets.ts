import { openWorkspaceFiles, readPropertyFile, readSources } from '../app/workspace-files.js';
import { isOwnSource } from '../domain/own-source.js';
import type { Log } from '../domain/ports/system.js';
import type { CredentialEntry } from '../domain/workspace.js';
import { createCredentialService } from '../host/secrets.js';
import { isSecretVariable } from '../host/secrets-names.js';
import { loadJsonSchemas } from '../lib/json-schema.js';
import { Masker } from '../lib/masker.js';
import { nodeFiles } from '../system/files.js';

export interface KnownSecretsDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/**
 * `WEB_AUTH=none` is not a secret, and would blacken a word of every comment; what the workspace
 * itself names is masked from 4 characters on.
 */
const MIN_UNNAMED_CHARS = 8;

/**
 * Masks what a person types where no run is open and nothing was resolved yet: every variable of
 * the environment whose name or value says that it is a secret, the secret properties of the
 * workspace, and its credentials whose source is `env` or `file`. Nobody is asked over a network
 * for the sake of a comment. Of a workspace.yaml with an error only the environment is known:
 * deciding works while other artifacts are broken. Throws KIT_WORKSPACE_NOT_FOUND, and
 * KIT_WORKSPACE_INVALID for a file that cannot be read.
 */
export async function maskOfWorkspace(directory: string, deps: KnownSecretsDeps): Promise<(text: string) => string> {
  const masker = await maskerOf(await readWorkspace(directory, deps.env), deps);
  return (text) => masker.mask(text);
}

/**
 * Whether a text holds what the workspace would mask at this moment: what a person is told whose
 * run begins with it, because the input of a run is kept as it came. Secrets are looked up with the
 * first text.
 */
export function secretsFinder(
  known: KnownWorkspace,
  deps: KnownSecretsDeps & { readonly resolved: Pick<Masker, 'mask'> },
): (text: string) => Promise<boolean> {
  let pending: Promise<Masker> | undefined;
  return async (text) => {
    pending ??= maskerOf(known, deps);
    return deps.resolved.mask(text) !== text || (await pending).mask(text) !== text;
  };
}

async function maskerOf(known: KnownWorkspace, deps: KnownSecretsDeps): Promise<Masker> {
  const masker = new Masker(known.secrets);
  for (const [name, value = ''] of Object.entries(deps.env))
    if (value.length >= MIN_UNNAMED_CHARS && isSecretVariable(name, value)) masker.add(value);
  for (const value of await nearCredentials(known, deps)) masker.add(value);
  return masker;
}

/**
 * The same, and what this process has resolved for its runs, wherever that came from; a session
 * that is not open knows nothing.
 */
export async function alsoResolved(
  mask: (text: string) => string,
  session: Promise<{ readonly credentials: { readonly masker: Pick<Masker, 'mask'> } }> | undefined,
): Promise<(text: string) => string> {
  const opened = (await session?.catch(() => null)) ?? null;
  return opened === null ? mask : (text) => opened.credentials.masker.mask(mask(text));
}

/** What of a workspace is known from its workspace file and property file alone. */
export interface KnownWorkspace {
  readonly root: string;
  readonly credentials: ReadonlyMap<string, CredentialEntry>;
  readonly lookup: (name: string) => string | undefined;
  readonly secrets: readonly string[];
}

/**
 * The credentials of a workspace, whatever else of it is broken; none of a workspace file with an
 * error.
 */
export async function readWorkspace(directory: string, env: NodeJS.ProcessEnv): Promise<KnownWorkspace> {
  const place = await openWorkspaceFiles(directory, nodeFiles);
  const [sources, propertyFile, { credentialEntries, ofKind, prepareCompile }, schemas] = await Promise.all([
    readSources(place, () => false),
    readPropertyFile(place, env.KIT_ENV ?? null),
    import('../compile/compile-workspace.js'),
    loadJsonSchemas(),
  ]);
  const { artifacts, references, secrets } = prepareCompile({
    root: place.root,
    sources,
    propertyFile,
    environment: (name) => env[name],
    adapterSources: [],
    executors: new Map(),
    modelProviders: [],
    schemas,
  });
  const [found] = ofKind(artifacts ?? [], 'Workspace');
  const credentials = found === undefined ? new Map<string, CredentialEntry>() : credentialEntries(found.value);
  return { root: place.root, credentials, lookup: references.lookup, secrets };
}

/**
 * Values that lie in the environment or in a file. One that cannot be had hides nothing; the run
 * that needs it says so.
 */
async function nearCredentials(
  { root, credentials, lookup }: KnownWorkspace,
  { env, log }: KnownSecretsDeps,
): Promise<readonly string[]> {
  const service = createCredentialService({
    env,
    lookup,
    files: nodeFiles,
    workspaceRoot: root,
    entry: (ref) => credentials.get(ref) ?? null,
    plugins: () => {
      throw new Error('no plugin is asked for the sake of a comment');
    },
    log,
  });
  const near = [...credentials].filter(([, entry]) => isOwnSource(entry));
  const values = await Promise.all(near.map(([ref]) => service.credential(ref).catch(() => null)));
  return values.filter((value) => value !== null);
}
