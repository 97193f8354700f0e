import { TIER_SCOPES } from '../../domain/http-tiers.js';
import { sha256Hex } from '../../lib/sha256.js';
import { isHumanScope } from '../scopes.js';

const KEY_TIERS = ['read', 'run', 'admin'] as const;

/** The scopes behind a tier of keys and tokens; null for a word that is none. */
export function scopesOfTier(word: string): readonly string[] | null {
  const tier = KEY_TIERS.find((known) => known === word);
  return tier === undefined ? null : TIER_SCOPES[tier];
}

/**
 * One entry of `server.auth.config.keys` as it was written; what is not text of the right kind is
 * null.
 */
export interface WrittenKey {
  readonly clientId: string | null;
  readonly clientName: string | null;
  /** Undefined: not written. */
  readonly tier: string | undefined;
  readonly scopes: readonly string[] | undefined;
}

/**
 * What became of a `key_ref`: its value, a sentence about what is missing, or no reference at all.
 */
export type ResolvedKey =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'missing'; readonly reason: string; readonly hint?: string }
  | { readonly kind: 'literal' };

/** What the provider `api_key` is given of a key: never the key itself. */
export interface PreparedKey {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: readonly string[];
}

/** Something that keeps a server from starting. `at` is a JSON pointer into workspace.yaml. */
export interface AuthProblem {
  readonly at: string;
  readonly message: string;
  /** What to do, where it is not workspace.yaml that is wrong: `Set NAME.` */
  readonly hint?: string;
}

/** A shorter secret can be tried out; `kit auth token` makes 43 characters. */
const MIN_SECRET_CHARS = 16;

export interface JudgedKeys {
  readonly keys: readonly PreparedKey[];
  readonly problems: readonly AuthProblem[];
  readonly warnings: readonly string[];
}

/** Messages name the client and never a secret: a literal key is not repeated. */
function problemsOf(
  key: WrittenKey,
  who: string,
  humanScopes: ReadonlySet<string>,
): readonly { readonly member: string; readonly message: string }[] {
  const { tier, scopes } = key;
  const held = scopesOf(key);
  const forbidden = held.filter((scope) => isHumanScope(scope, humanScopes));
  return [
    ...(key.clientId === null ? [{ member: 'client_id', message: `${who} has no client_id` }] : []),
    ...(tier !== undefined && scopes !== undefined
      ? [{ member: 'scopes', message: `${who} has a tier and scopes; keep one of them` }]
      : []),
    ...(tier !== undefined && scopesOfTier(tier) === null
      ? [{ member: 'tier', message: `${who} has the tier ${JSON.stringify(tier)}; there are ${KEY_TIERS.join(', ')}` }]
      : []),
    ...(tier === undefined && (scopes ?? []).length === 0
      ? [{ member: 'tier', message: `${who} has neither a tier nor scopes: every call would be refused` }]
      : []),
    ...(forbidden.length > 0
      ? [
          {
            member: 'scopes',
            message: `${who} would carry ${forbidden.join(', ')}, which no key can: ${forbidden.length > 1 ? 'these belong' : 'it belongs'} to people`,
          },
        ]
      : []),
  ];
}

const scopesOf = ({ tier, scopes }: WrittenKey): readonly string[] =>
  tier === undefined ? [...new Set(scopes ?? [])] : (scopesOfTier(tier) ?? []);

/**
 * Judges the keys of the provider `api_key`: every problem at once. A key that does not resolve is
 * a warning while another one does, and its entry stays without effect.
 */
export function judgeKeys(
  entries: readonly { readonly written: WrittenKey; readonly resolved: ResolvedKey }[],
  humanScopes: ReadonlySet<string>,
): JudgedKeys {
  const problems: AuthProblem[] = [];
  const warnings: string[] = [];
  const keys: PreparedKey[] = [];
  const first = new Map<string, string>();
  entries.forEach(({ written, resolved }, index) => {
    const at = `/server/auth/config/keys/${index}`;
    const who = written.clientId === null ? `key ${index + 1}` : `the key of ${JSON.stringify(written.clientId)}`;
    for (const { member, message } of problemsOf(written, who, humanScopes))
      problems.push({ at: `${at}/${member}`, message });
    if (resolved.kind === 'literal')
      problems.push({
        at: `${at}/key_ref`,
        message: `${who} is not given by reference; write env:NAME, file:PATH or credentials:NAME`,
      });
    if (resolved.kind === 'missing') warnings.push(`${who} is without effect: ${resolved.reason}`);
    if (resolved.kind !== 'value') return;
    const sha256 = sha256Hex(resolved.value);
    const other = first.get(sha256);
    if (other !== undefined)
      problems.push({
        at: `${at}/key_ref`,
        message: `${who} has the same secret as ${other}: kit cannot tell which one calls`,
      });
    else first.set(sha256, who);
    if (/[^\x21-\x7e]/.test(resolved.value))
      problems.push({
        at: `${at}/key_ref`,
        message: `${who} holds a character that no header can carry: only visible ASCII, without blanks`,
      });
    if (resolved.value.length < MIN_SECRET_CHARS)
      warnings.push(
        `${who} has a secret of ${resolved.value.length} characters, which can be guessed; \`kit auth token\` makes a long one`,
      );
    const clientId = written.clientId ?? '';
    keys.push({ sha256, clientId, clientName: written.clientName ?? clientId, scopes: scopesOf(written) });
  });
  if (keys.length === 0) return { keys, problems: [...problems, ...nothingResolves(entries, warnings)], warnings: [] };
  return { keys, problems, warnings };
}

/** Without a key nobody could call: what was a warning keeps the server from starting. */
function nothingResolves(
  entries: readonly { readonly resolved: ResolvedKey }[],
  warnings: readonly string[],
): readonly AuthProblem[] {
  if (entries.length === 0) return [{ at: '/server/auth/config/keys', message: 'the provider api_key has no keys' }];
  // In the order of what is missing, of which alone there are warnings here.
  const hints = entries.flatMap(({ resolved }) => (resolved.kind === 'missing' ? [resolved.hint] : []));
  return warnings.map((message, index) => {
    const hint = hints[index];
    return { at: '/server/auth/config/keys', message, ...(hint === undefined ? {} : { hint }) };
  });
}
