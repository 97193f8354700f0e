import { isAbsolute, join } from 'node:path';
import type { ErrorCode } from '../domain/error-registry.js';
import { isKitError, KitError } from '../domain/errors.js';
import type { ContributionInfo, PluginHost, Secrets } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import { hintForSource } from '../domain/missing-contribution.js';
import type { Refusal } from '../domain/ports/credential-source.js';
import type { CredentialEntry } from '../domain/workspace.js';
import { interpolateText } from '../lib/interpolate-text.js';
import { mapTexts } from '../lib/map-texts.js';
import { Masker } from '../lib/masker.js';
import { isSecretVariable } from './secrets-names.js';
import { resolveReference } from './secrets-reference.js';
import type { CredentialDeps } from './secrets-refusal.js';
import { renderTemplate } from './secrets-template.js';

/**
 * Resolves references at the point of use. Nothing is cached, nothing is logged, every value is
 * registered for masking.
 */
export interface CredentialService {
  /** A named entry. Throws KIT_CREDENTIAL_UNRESOLVED, whose message never holds a value. */
  credential(ref: string): Promise<string>;
  /** What a refusal of its value means (`CredentialSource.refused`). */
  refused(ref: string, refusal: Refusal): Promise<boolean>;
  /**
   * What `env:NAME`, `file:PATH` or `credentials:NAME` stands for. Throws
   * KIT_CREDENTIAL_UNRESOLVED, also for any other text.
   */
  reference(text: string): Promise<string>;
  /**
   * `${NAME}`, `${NAME:-default}` and `{credential.<ref>}` in one text; `allowedRefs` bounds the
   * credentials (null = any).
   */
  render(text: string, allowedRefs?: readonly string[] | null): Promise<string>;
  /** The same for each value of a map (environment of a command, headers of a server). */
  renderAll(
    values: Readonly<Record<string, string>>,
    allowedRefs?: readonly string[] | null,
  ): Promise<Readonly<Record<string, string>>>;
  /**
   * What a contribution gets as `ctx.secrets`: only the environment variables that its manifest
   * declares. Those of `keys` are masked whatever their names.
   */
  secretsFor(info: Pick<ContributionInfo, 'id' | 'plugin'>, env: readonly string[], keys?: readonly string[]): Secrets;
  /** Masks every value that this service has resolved so far. */
  readonly masker: Masker;
  /**
   * A masker for one run: it knows what is known now, and learns what anybody resolves until it is
   * released.
   */
  maskerForRun(): RunMasker;
}

export interface RunMasker {
  readonly masker: Masker;
  /** The run is over: it learns nothing more. */
  release(): void;
}

export function createCredentialService(deps: CredentialDeps): CredentialService {
  const masker = new Masker(deps.known);
  const followers = new Set<Masker>();
  const learn = (value: string, origin: string): string => {
    const result = masker.add(value);
    for (const follower of followers) follower.add(value);
    if (result === 'too_short')
      deps.log.warn(`${origin} is shorter than 4 characters and cannot be masked in output`, {});
    return value;
  };
  const variable = (name: string, isSecret = false): string | undefined => {
    const value = deps.lookup === undefined ? deps.env[name] : deps.lookup(name);
    return value !== undefined && value !== '' && (isSecret || isSecretVariable(name, value))
      ? learn(value, `the value of ${name}`)
      : value;
  };
  const credential = async (ref: string): Promise<string> =>
    learn(await resolveCredential(deps, ref, variable), `credential "${ref}"`);
  const expanded = (ref: string, config: JsonObject): JsonObject => expandConfig(ref, config, variable);
  const refused = async (ref: string, refusal: Refusal): Promise<boolean> =>
    (await import('./secrets-refusal.js')).reportRefusal(deps, { ref, refusal, expanded });
  const render = async (text: string, allowedRefs: readonly string[] | null = null): Promise<string> => {
    const allowed = (ref: string): Promise<string> =>
      allowedRefs === null || allowedRefs.includes(ref) ? credential(ref) : Promise.reject(notAllowed(ref));
    const rendered = await renderTemplate(text, { variable: (name) => variable(name), credential: allowed });
    if (rendered.ok) return rendered.text;
    throw unresolved(
      `nothing defines ${rendered.unresolved.map((name) => `\${${name}}`).join(', ')}`,
      `Set ${rendered.unresolved.join(', ')} in the environment.`,
    );
  };
  return {
    masker,
    credential,
    refused,
    reference: async (text) => learn(await resolveReference(text, { ...deps, credential }), 'a secret of server.auth'),
    render,
    renderAll: async (values, allowedRefs) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(values).map(async ([name, text]) => [name, await render(text, allowedRefs ?? null)] as const),
        ),
      ),
    secretsFor: (info, declaredEnv, keys = []) => ({
      credential,
      refused,
      env: (name) => {
        if (!declaredEnv.includes(name))
          throw new KitError(
            'KIT_PLUGIN_CALL_FAILED',
            `${info.id} of ${info.plugin} reads ${name}, which its manifest does not declare`,
          );
        return variable(name, keys.includes(name)) || null;
      },
    }),
    maskerForRun: () => {
      const own = masker.fork();
      followers.add(own);
      return { masker: own, release: () => void followers.delete(own) };
    },
  };
}

type Variable = (name: string) => string | undefined;

async function resolveCredential(deps: CredentialDeps, ref: string, variable: Variable): Promise<string> {
  const written = deps.entry(ref);
  if (written === null) throw noEntry(ref);
  const entry = { ...written, config: expandConfig(ref, written.config, variable) };
  switch (entry.source) {
    case 'env':
      return fromEnv(deps, ref, entry);
    case 'file':
      return fromFile(deps, ref, entry);
    default:
      return fromPlugin(deps, ref, entry);
  }
}

/** `${VAR}` in the configuration of an entry, which cannot refer to another credential. */
const expandConfig = (ref: string, config: JsonObject, variable: Variable): JsonObject =>
  mapTexts(config, (text) => {
    const result = interpolateText(text, variable);
    const [missing] = result.unresolved;
    if (missing === undefined) return result.text;
    throw unresolved(
      `the configuration of credential "${ref}" uses \${${missing}}, which nothing defines`,
      `Set ${missing}.`,
    );
  });

function fromEnv(deps: CredentialDeps, ref: string, entry: CredentialEntry): string {
  const names = [entry.config.env, entry.config.var].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  const [name, other] = names;
  if (name === undefined) throw unresolved(`credential "${ref}" names no environment variable`, 'Write config.env.');
  if (other !== undefined && other !== name)
    throw unresolved(
      `credential "${ref}" names two variables: config.env is ${name}, config.var is ${other}`,
      'Keep one of config.env and config.var.',
    );
  const value = deps.env[name];
  if (value === undefined || value === '')
    throw unresolved(`credential "${ref}" needs the environment variable ${name}, which is not set`, `Set ${name}.`);
  return value;
}

async function fromFile(deps: CredentialDeps, ref: string, entry: CredentialEntry): Promise<string> {
  const path = entry.config.path;
  if (typeof path !== 'string' || path === '')
    throw unresolved(`credential "${ref}" names no file`, 'Write config.path.');
  const text = await deps.files.readText(isAbsolute(path) ? path : join(deps.workspaceRoot, path)).catch(() => null);
  if (text === null)
    throw unresolved(
      `credential "${ref}" needs the file ${path}, which cannot be read`,
      `Create ${path}, or correct config.path.`,
    );
  const value = text.trim();
  if (value === '')
    throw unresolved(`credential "${ref}" needs the file ${path}, which is empty`, `Write the secret into ${path}.`);
  return value;
}

/**
 * Vaults, OAuth and the like: by the contribution that `provider_id` names, else by the name of the
 * source.
 */
async function fromPlugin(deps: CredentialDeps, ref: string, entry: CredentialEntry): Promise<string> {
  const wanted = entry.providerId ?? entry.source;
  const plugins = deps.plugins();
  if (plugins.find('credentialSources', wanted) === null)
    throw unresolved(
      `credential "${ref}" has the source "${entry.source}", and no installed plugin brings the secrets provider "${wanted}"`,
      hintForSource(wanted),
    );
  const value = await askPlugin(plugins, { wanted, ref, entry });
  if (typeof value !== 'string' || value === '')
    throw unresolved(`the secrets provider "${wanted}" gave no value for credential "${ref}"`);
  return value;
}

const FOR_PEOPLE: ReadonlySet<ErrorCode> = new Set([
  'KIT_CREDENTIAL_UNRESOLVED',
  'KIT_CREDENTIAL_EXPIRED',
  'KIT_CREDENTIAL_OWNER',
  'KIT_CONSENT_REQUIRED',
  'KIT_VAULT_KEY',
  'KIT_VAULT_DAMAGED',
]);

async function askPlugin(
  plugins: Pick<PluginHost, 'resolve'>,
  asked: { readonly wanted: string; readonly ref: string; readonly entry: CredentialEntry },
): Promise<unknown> {
  const { wanted, ref, entry } = asked;
  const source = await plugins.resolve('credentialSources', wanted, {});
  try {
    return await source.resolve(ref, entry.config);
  } catch (error) {
    // A refusal in kit's own words is meant for people. Any other error may quote a request or an
    // answer: it goes no further.
    if (isKitError(error) && FOR_PEOPLE.has(error.code)) throw error;
    throw unresolved(
      `the secrets provider "${wanted}" could not resolve credential "${ref}"`,
      `Check the configuration of "${ref}" and the access to "${wanted}".`,
    );
  }
}

/**
 * `missing: entry` tells a name that nobody declared from one that cannot be resolved: a webhook
 * then tries the variable of that name.
 */
const noEntry = (ref: string): KitError =>
  new KitError('KIT_CREDENTIAL_UNRESOLVED', `the workspace has no credential "${ref}"`, {
    hint: `Add "${ref}" under \`credentials\` in workspace.yaml.`,
    data: { missing: 'entry' },
  });

const notAllowed = (ref: string): KitError =>
  unresolved(
    `{credential.${ref}} is used where credentials_ref does not allow it`,
    `Name "${ref}" in credentials_ref.`,
  );

function unresolved(message: string, hint?: string): KitError {
  return new KitError('KIT_CREDENTIAL_UNRESOLVED', message, hint === undefined ? {} : { hint });
}
