import { SIGN_IN_KEYS } from '../../../compile/auth-keys.js';
import { identityPreset, namesAnotherIssuer } from '../../../compile/link/identity-preset.js';
import { ERROR_REGISTRY } from '../../../domain/error-registry.js';
import { isKitError, KitError, messageOf } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import type { Workspace } from '../../../domain/workspace.js';
import { type AuthProblem, scopesOfTier } from '../../../govern/serving/api-keys.js';
import { hintFor } from '../../../lib/nearest.js';
import { hintOf, planKeys, resolvedSecret, type SecretSource } from './plan-keys.js';

/**
 * What planning needs of the process: the one credential service, and the names of the
 * contributions.
 */
export interface PlanAuthDeps extends SecretSource {
  /**
   * `${VAR}` in a text, from the property file and the environment. Throws
   * KIT_CREDENTIAL_UNRESOLVED.
   */
  readonly render: (text: string) => Promise<string>;
  /** Names of the contributions to `authProviders`. */
  readonly known: readonly string[];
}

/** What an auth provider is created with. */
export interface AuthPlan {
  readonly name: string;
  /**
   * `api_key`: `{keys: [{sha256, client_id, client_name, scopes}]}`, no secret. `jwt`, `none` and
   * providers of plugins: their settings with `${VAR}` replaced; `jwt` with the text of
   * `client_secret_ref` as `client_secret`.
   */
  readonly config: JsonObject;
  /** A line each. */
  readonly warnings: readonly string[];
}

type Served = Pick<Workspace, 'server' | 'identity' | 'humanScopes'>;

/** KIT_AUTH_INVALID with every problem; `data.problems` holds them with their places. */
export function authInvalid(problems: readonly AuthProblem[]): KitError {
  const list = problems.map(
    ({ at, message }, index) => `  ${index + 1}. ${message} (${at.slice(1).replaceAll('/', '.')})`,
  );
  return new KitError(
    'KIT_AUTH_INVALID',
    [
      `server.auth cannot be used: ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}`,
      ...list,
    ].join('\n'),
    {
      data: { problems: problems.map(({ at, message }) => ({ at, message })) },
      ...hintOfAll(problems),
    },
  );
}

/** What each problem needs, once; workspace.yaml is named where anything in it is wrong. */
function hintOfAll(problems: readonly AuthProblem[]): { readonly hint?: string } {
  const own = [...new Set(problems.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))];
  if (own.length === 0) return {};
  const isInFile = problems.some(({ hint }) => hint === undefined);
  return { hint: [...own, ...(isInFile ? [ERROR_REGISTRY.KIT_AUTH_INVALID.hint] : [])].join(' ') };
}

/** Replaces `${VAR}` in every text; what cannot be replaced is a problem at its place. */
async function rendered(
  value: Json,
  at: string,
  deps: { readonly render: PlanAuthDeps['render']; readonly problems: AuthProblem[] },
): Promise<Json> {
  if (typeof value === 'string') {
    try {
      return await deps.render(value);
    } catch (error) {
      const hint = isKitError(error) ? hintOf(error) : {};
      deps.problems.push({ at, message: messageOf(error), ...hint });
      return value;
    }
  }
  if (Array.isArray(value)) return Promise.all(value.map((item, index) => rendered(item, `${at}/${index}`, deps)));
  if (typeof value !== 'object' || value === null) return value;
  return renderedObject(value as JsonObject, at, deps); // a list is handled above
}

async function renderedObject(
  value: JsonObject,
  at: string,
  deps: Parameters<typeof rendered>[2],
): Promise<JsonObject> {
  const members = Object.entries(value).map(
    async ([key, member]) => [key, await rendered(member, `${at}/${key}`, deps)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

/** `tier` of a preset becomes the scopes that every token of the issuer has. */
function jwtConfig({ tier, ...settings }: JsonObject): JsonObject {
  const scopes = typeof tier === 'string' ? scopesOfTier(tier) : null;
  return scopes === null ? settings : { ...settings, base_scopes: [...scopes] };
}

/**
 * The settings of `identity` below those of `server.auth`; a preset that would have no effect is a
 * problem.
 */
function withPreset(
  provider: string,
  settings: JsonObject,
  identity: Workspace['identity'],
): { readonly settings: JsonObject; readonly problems: readonly string[] } {
  if (identity === null) return { settings, problems: [] };
  const preset = identityPreset(identity);
  if (preset.kind === 'invalid') return { settings, problems: preset.problems.map(({ message }) => message) };
  if (preset.kind === 'builtin') return { settings, problems: [] };
  const what = `the preset ${identity.provider} of \`identity\` has no effect`;
  if (provider !== 'jwt') return { settings, problems: [`${what}: server.auth.provider is ${provider}, not jwt`] };
  const written = typeof settings.issuer === 'string' ? settings.issuer : null;
  if (namesAnotherIssuer(written, preset.settings.issuer))
    return { settings, problems: [`${what}: its issuer is ${preset.settings.issuer}, and server.auth names another`] };
  return { settings: { ...preset.settings, ...settings }, problems: [] };
}

/** A URL that keys may be fetched from. */
function urlProblem(value: Json | undefined): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'is not an address';
  const { protocol, username, password } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:') return 'is not an address of the web';
  return username === '' && password === '' ? null : 'holds a name or a password';
}

function jwtProblems(settings: JsonObject): readonly AuthProblem[] {
  const { issuer, jwks_url: jwksUrl } = settings;
  if (issuer === undefined) return [{ at: '/server/auth/config/issuer', message: 'the provider jwt names no issuer' }];
  const problem = urlProblem(issuer);
  const keys = jwksUrl === undefined ? null : urlProblem(jwksUrl);
  return [
    ...(problem === null ? [] : [{ at: '/server/auth/config/issuer', message: `the issuer ${problem}` }]),
    ...(keys === null ? [] : [{ at: '/server/auth/config/jwks_url', message: `jwks_url ${keys}` }]),
  ];
}

function noneProblems(settings: JsonObject): readonly AuthProblem[] {
  const blank = ['identity', 'identity_name'].filter(
    (key) => settings[key] !== undefined && String(settings[key]).trim() === '',
  );
  return blank.map((key) => ({ at: `/server/auth/config/${key}`, message: `${key} is empty` }));
}

const pick = (settings: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]] as const])));

const JWT_KEYS = [
  'issuer',
  'audience',
  'jwks_url',
  'scopes_claim',
  'client_id_claim',
  'client_id',
  'scope',
  'token',
  'required_claims',
  'tier',
];

/** Nobody signs in through a browser without a client: what is only for that would do nothing. */
const withoutClient = (settings: JsonObject): readonly AuthProblem[] =>
  settings.client_id === undefined
    ? SIGN_IN_KEYS.filter((key) => settings[key] !== undefined).map((key) => ({
        at: `/server/auth/config/${key}`,
        message: `${key} has no effect without client_id`,
      }))
    : [];

/** What signs kit in at the issuer, where the client has a secret; a reference, never the text. */
async function planJwt(settings: JsonObject, deps: PlanAuthDeps): Promise<Planned> {
  const problems = [...jwtProblems(settings), ...withoutClient(settings)];
  const config = jwtConfig(pick(settings, JWT_KEYS));
  const { client_secret_ref: reference } = settings;
  if (reference === undefined) return { config, problems, warnings: [] };
  const at = '/server/auth/config/client_secret_ref';
  const secret = await resolvedSecret(reference, deps);
  if (secret.kind === 'value') return { config: { ...config, client_secret: secret.value }, problems, warnings: [] };
  const message =
    secret.kind === 'missing'
      ? `the secret of the client cannot be read: ${secret.reason}`
      : 'client_secret_ref is not a reference, as env:NAME, file:PATH or credentials:NAME';
  const hint = secret.kind === 'missing' && secret.hint !== undefined ? { hint: secret.hint } : {};
  return { config, problems: [...problems, { at, message, ...hint }], warnings: [] };
}

/**
 * The one place that turns a workspace into the auth provider of a server and its configuration
 * (docs/design/decisions.md#auth-once). Keys are resolved here and go on as digests. Throws
 * KIT_AUTH_INVALID naming every problem.
 */
export async function planAuth(workspace: Served, deps: PlanAuthDeps): Promise<AuthPlan> {
  const name = workspace.server.auth.provider;
  const problems: AuthProblem[] = [];
  const rendering = { render: deps.render, problems };
  const written = await renderedObject(workspace.server.auth.config, '/server/auth/config', rendering);
  const { identity: block } = workspace;
  const identity =
    block === null ? null : { ...block, config: await renderedObject(block.config, '/identity/config', rendering) };
  const preset = withPreset(name, written, identity);
  problems.push(...preset.problems.map((message) => ({ at: '/identity', message })));
  const plan = await planOf(name, { ...workspace, settings: preset.settings }, deps);
  problems.push(...plan.problems);
  if (problems.length > 0) throw authInvalid(problems);
  return { name, config: plan.config, warnings: plan.warnings };
}

interface Planned {
  readonly config: JsonObject;
  readonly problems: readonly AuthProblem[];
  readonly warnings: readonly string[];
}

async function planOf(
  name: string,
  from: Pick<Served, 'humanScopes'> & { readonly settings: JsonObject },
  deps: PlanAuthDeps,
): Promise<Planned> {
  const { settings, humanScopes } = from;
  if (!deps.known.includes(name)) {
    const hint = hintFor(name, deps.known, { fallback: `There are: ${deps.known.join(', ')}.` });
    return {
      config: {},
      problems: [
        { at: '/server/auth/provider', message: `there is no auth provider ${JSON.stringify(name)}. ${hint}` },
      ],
      warnings: [],
    };
  }
  switch (name) {
    case 'none':
      return { config: pick(settings, ['identity', 'identity_name']), problems: noneProblems(settings), warnings: [] };
    case 'api_key':
      return planKeys(settings, humanScopes, deps);
    case 'jwt':
      return planJwt(settings, deps);
    default:
      return { config: settings, problems: [], warnings: [] };
  }
}
