import { KitError } from '../../domain/errors.js';
import type { RoleDirectory } from '../../domain/gates.js';
import { NEW_OAUTH_KEY, OAUTH_KEY_FORM, type OauthKeyState } from '../../domain/oauth-key.js';
import { holdsAnyRole, personOf } from '../approval/people.js';

/** What the start of a server is judged by. */
export interface StartFacts {
  /** Name of the auth provider. */
  readonly provider: string;
  /** The address that will be bound: flag, workspace, default. */
  readonly host: string;
  readonly insecure: boolean;
  readonly requireOnNonloopback: boolean;
  readonly profile: 'standard' | 'production';
  /** What KIT_OAUTH_KEY holds. */
  readonly oauthKey: OauthKeyState;
  readonly corsOrigins: readonly string[];
  readonly mcpServers: readonly { readonly id: string; readonly sandboxed: boolean }[];
  /** Names of harnesses that agents of this workspace start outside a container. */
  readonly uncontainedHarnesses: readonly string[];
  /** Names of plugins that are linked to a directory. */
  readonly linkedPlugins: readonly string[];
  /** Every identity that the provider can name; null = it cannot know. */
  readonly identities: readonly string[] | null;
  readonly roles: RoleDirectory;
}

/** What the names of a server are decided by. */
export interface PageFacts {
  readonly auth: { readonly provider: string };
  /** The address that will be bound. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly publicUrl: string | null;
}

/** By which addresses a server without authentication is called; a page elsewhere is refused. */
export interface PageRules {
  /** Bound to this machine, or `server.allowed_hosts` is given: other names are refused. */
  readonly isHostChecked: boolean;
  /** `server.allowed_hosts`, lower case. */
  readonly allowedHosts: readonly string[];
  /** `server.public_url`. */
  readonly publicUrl: string | null;
}

/** Why a server does not start: a sentence, what is wrong one by one, and what to do. */
export interface StartRefusal {
  readonly headline: string;
  readonly gaps: readonly string[];
  readonly ways: readonly string[];
}

/**
 * Nothing else counts, however close to the machine it is (docs/design/decisions.md#start-rules).
 */
const LOOPBACK = ['127.0.0.1', '::1', 'localhost', ''];

/** True for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean => LOOPBACK.includes(host.trim().toLowerCase());

/**
 * What to hand to `listen`: an empty address would be every address there, and means loopback here.
 */
export const listenAddress = (host: string): string => (host.trim() === '' ? '127.0.0.1' : host.trim());

/**
 * By which names a server without authentication may be called; null: callers are authenticated. On
 * an address that others reach, its names are not known, unless `server.allowed_hosts` says them.
 */
export const pageRules = ({ auth, host, allowedHosts, publicUrl }: PageFacts): PageRules | null =>
  auth.provider === 'none'
    ? { isHostChecked: isLoopback(host) || allowedHosts.length > 0, allowedHosts, publicUrl }
    : null;

function loopbackRefusal(facts: StartFacts): StartRefusal | null {
  if (facts.provider !== 'none' || isLoopback(facts.host) || facts.insecure || !facts.requireOnNonloopback) return null;
  return {
    headline: `the server would be open: it has no authentication, and others reach ${facts.host}`,
    gaps: [],
    ways: [
      'set server.auth.provider to api_key or jwt; `kit auth token <client-id>` makes a key',
      'bind 127.0.0.1, with --host 127.0.0.1 or server.host',
      'pass --insecure, when something in front of the server authenticates',
      'set server.auth.require_on_nonloopback: false, for the same case',
    ],
  };
}

/** In this order. */
function productionGaps(facts: StartFacts): readonly string[] {
  return [
    ...(facts.provider === 'none'
      ? ['server.auth.provider is none: every caller would be anonymous; `kit auth token <client-id>` makes a key']
      : []),
    ...(facts.insecure ? ['--insecure is given'] : []),
    ...(facts.oauthKey === 'unset'
      ? [`KIT_OAUTH_KEY is not set: tokens would be encrypted with a key that lies beside them; ${NEW_OAUTH_KEY}`]
      : []),
    ...(facts.oauthKey === 'malformed' ? [`KIT_OAUTH_KEY is not a key: ${OAUTH_KEY_FORM}`] : []),
    ...(facts.corsOrigins.includes('*') ? ['--cors-origin * lets every web page call the server'] : []),
    ...facts.mcpServers
      .filter(({ sandboxed }) => !sandboxed)
      .map(({ id }) => `the MCP server ${id} is not sandboxed; write sandboxed: true`),
  ];
}

/**
 * What a production server is told of, and starts with: who could forge its store
 * (docs/design/journal.md#outside-the-workspace).
 */
function productionWarnings(facts: StartFacts): readonly string[] {
  if (facts.profile !== 'production') return [];
  return [
    ...facts.uncontainedHarnesses.map(
      (name) => `the harness ${name} runs outside a container, as the user of this server: it could forge the store`,
    ),
    ...facts.linkedPlugins.map(
      (name) => `the plugin ${name} is linked to a directory, whose files may change; install it`,
    ),
  ];
}

function productionRefusal(facts: StartFacts): StartRefusal | null {
  const gaps = facts.profile === 'production' ? productionGaps(facts) : [];
  if (gaps.length === 0) return null;
  return {
    headline: `the profile production has ${gaps.length === 1 ? 'a gap' : `${gaps.length} gaps`}`,
    gaps,
    ways: ['close every gap, or start without --profile production to go back to the permissive profile'],
  };
}

/**
 * Why a server with these settings does not start; [] = it may. Both rules hold at once
 * (docs/design/decisions.md#start-rules).
 */
export function startRefusals(facts: StartFacts): readonly StartRefusal[] {
  return [loopbackRefusal(facts), productionRefusal(facts)].filter((refusal) => refusal !== null);
}

/** The text of refusals: a headline each, gaps with numbers, ways out. */
const textOf = ({ headline, gaps, ways }: StartRefusal): string =>
  [headline, ...gaps.map((gap, index) => `  ${index + 1}. ${gap}`), ...ways.map((way) => `  - ${way}`)].join('\n');

/** Gaps are closed together, ways out are taken one at a time. */
const hintOf = (refusals: readonly StartRefusal[]): string =>
  refusals.some(({ gaps }) => gaps.length > 0)
    ? 'Close every gap, then start again.'
    : 'Take one of these ways, then start again.';

/**
 * Throws KIT_SERVE_REFUSED with everything that `startRefusals` finds; `data.refusals` holds the
 * same as values.
 */
export function assertMayStart(facts: StartFacts): void {
  const refusals = startRefusals(facts);
  if (refusals.length > 0)
    throw new KitError('KIT_SERVE_REFUSED', refusals.map(textOf).join('\n'), {
      hint: hintOf(refusals),
      data: { refusals },
    });
}

/** What an operator should know although the server starts; a line each. */
export function startWarnings(facts: StartFacts): readonly string[] {
  const isOpen = facts.provider === 'none' && !isLoopback(facts.host);
  return [
    ...(isOpen ? [`whoever reaches ${facts.host} may do everything: the server has no authentication`] : []),
    ...(facts.provider === 'none' ? strangers(facts) : []),
    ...(facts.corsOrigins.includes('*')
      ? ['--cors-origin * lets every web page call the server; credentials are not allowed then']
      : []),
    ...productionWarnings(facts),
  ];
}

/**
 * A local operator who is named and holds no role: their decisions would all be refused, which
 * shows late (docs/design/decisions.md#start-rules).
 */
function strangers({ identities, roles }: StartFacts): readonly string[] {
  if (roles.roles.length === 0) return [];
  return (identities ?? [])
    .filter((identity) => identity !== 'anonymous' && !holdsAnyRole(roles, personOf(roles, identity)))
    .map((identity) => `${identity} is in no role: nothing that waits for a person can be decided over HTTP`);
}
