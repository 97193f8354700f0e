import { type CredentialUse, KitError } from '@kit-run/kit/plugin';
import * as oauth from 'oauth4webapi';
import { clientAuth, clientOf, serverOf } from '../client/auth.js';
import { type ProviderProblem, problemOf } from '../client/refusal.js';
import { callingBy } from '../discovery/server-metadata.js';
import { type Parts, TOKEN } from '../parts.js';
import { consentRequired, type Picked, pickToken } from './pick-token.js';
import { LOOK_MS, PATIENCE_MS, refreshLease } from './refresh-lease.js';
import { EXPIRED_MS, leftMs } from './stored-login.js';
import { answeredToken } from './token-answer.js';
import { encodeToken, type TokenRow } from './token-row.js';

/** What became of one request for a new token. */
type Refreshed = { readonly kind: 'refreshed'; readonly row: TokenRow } | ProviderProblem;

/** A token that may do less than the one before is not the one that was consented to. */
const isNarrower = (before: readonly string[], after: readonly string[]): boolean =>
  before.some((scope) => scope !== 'offline_access' && !after.includes(scope));

/** Asks the provider once. */
async function refresh({ clock, outbound, signal }: Parts, row: TokenRow): Promise<Refreshed> {
  const [server, client] = [serverOf(row.server), clientOf(row.client)];
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      clientAuth(row.client),
      row.refreshToken ?? '',
      { ...callingBy(outbound, signal), additionalParameters: { resource: row.resource } },
    );
    const answer = await oauth.processRefreshTokenResponse(server, client, response);
    const nowMs = clock.now();
    const token = answeredToken(answer, { nowMs, scopes: row.scopes, before: row });
    const next = { ...row, ...token, refreshedAt: new Date(nowMs).toISOString(), askedAt: null };
    return isNarrower(row.scopes, token.scopes)
      ? { kind: 'refused', why: 'the provider gives fewer scopes than before' }
      : { kind: 'refreshed', row: next };
  } catch (error) {
    return problemOf(error, { client: row.client, values: [row.refreshToken, row.accessToken] });
  }
}

/** Looks after which whoever waits hears of it: two seconds. */
const REPORT_AFTER = 20;

interface Wanted {
  readonly use: CredentialUse;
  readonly owner: string | null;
  readonly windowMs: number;
}

/** Runs of one process that begin together wait for the same answer. */
const underWay = new WeakMap<Parts['vault'], Map<string, Promise<void>>>();

/** Makes sure that a token holds for the window; see `CredentialSource.prepare`. */
export async function prepareToken(parts: Parts, wanted: Wanted): Promise<void> {
  const picked = await pickToken(parts, { ...wanted.use, owner: wanted.owner });
  if (!needsRefresh(parts, picked, wanted.windowMs)) return;
  const known = underWay.get(parts.vault) ?? new Map<string, Promise<void>>();
  underWay.set(parts.vault, known);
  const key = JSON.stringify([picked.entry.name, picked.entry.owner, wanted.windowMs]);
  const begun = known.get(key) ?? refreshOnce(parts, wanted).finally(() => known.delete(key));
  known.set(key, begun);
  await begun;
}

/**
 * False: it holds long enough. Throws KIT_CONSENT_REQUIRED where no refresh can help.
 */
function needsRefresh({ clock }: Pick<Parts, 'clock'>, { entry, row }: Picked, windowMs: number): boolean {
  const nowMs = clock.now();
  if (row.refused !== null) throw consentRequired(entry.name, entry.owner, row.refused);
  const left = leftMs(row.expiresAt, nowMs);
  if (left > windowMs) return false;
  if (row.refreshToken !== null && leftMs(row.refreshExpiresAt, nowMs) > 0) return true;
  if (left > EXPIRED_MS) return false;
  throw consentRequired(
    entry.name,
    entry.owner,
    row.refreshToken === null ? 'its token has ended, and there is no refresh token' : 'its refresh token has ended',
  );
}

/** One refresh across all processes: who gets no lease waits for what its holder writes. */
async function refreshOnce(parts: Parts, wanted: Wanted): Promise<void> {
  const { clock, signal, log } = parts;
  const startedMs = performance.now();
  for (let looks = 0; ; looks += 1) {
    const picked = await pickToken(parts, { ...wanted.use, owner: wanted.owner });
    if (!needsRefresh(parts, picked, wanted.windowMs)) return;
    const { name, owner } = picked.entry;
    const lease = await refreshLease(parts, picked);
    if (lease !== null) {
      try {
        // Whoever had it before may just have written.
        const now = await pickToken(parts, { ...wanted.use, owner: wanted.owner });
        if (needsRefresh(parts, now, wanted.windowMs)) await ask(parts, now);
        return;
      } finally {
        await lease.letGo();
      }
    }
    if (performance.now() - startedMs > PATIENCE_MS)
      throw new KitError('KIT_STORE_BUSY', `another process refreshes the token of ${name}, and does not end`);
    if (looks === REPORT_AFTER)
      log.warn('waiting for another process that refreshes this token', {
        credential: name,
        owner,
        at_most_s: PATIENCE_MS / 1000,
      });
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Asks the provider under the lease, with a note before that says so. */
async function ask(parts: Parts, { entry, row }: Picked): Promise<void> {
  const { clock, log } = parts;
  const { name: credential, owner } = entry;
  if (row.askedAt !== null)
    log.warn('a refresh was begun before, and nobody knows how it ended; it is tried once more', {
      credential,
      owner,
      begun_at: row.askedAt,
    });
  const key = { kind: TOKEN, name: credential, owner };
  const noted = { ...row, askedAt: row.askedAt ?? new Date(clock.now()).toISOString() };
  const revision = await parts.vault.put(key, encodeToken(noted), entry.revision);
  // Somebody logged in or out at this moment: what they wrote holds.
  if (revision === null) return;
  const write = (next: TokenRow): Promise<number | null> => parts.vault.put(key, encodeToken(next), revision);
  const outcome = await refresh(parts, noted);
  switch (outcome.kind) {
    case 'refreshed':
      await write(outcome.row);
      log.info('a token was refreshed', { credential, owner });
      return;
    case 'refused':
      await write({ ...noted, askedAt: null, refused: outcome.why });
      throw consentRequired(credential, owner, outcome.why);
    case 'failed': {
      log.warn('a token could not be refreshed', { credential, owner, why: outcome.why });
      if (leftMs(row.expiresAt, clock.now()) > EXPIRED_MS) return;
      throw new KitError(
        'KIT_CREDENTIAL_UNRESOLVED',
        `the token of ${credential} of ${owner} has ended and could not be refreshed: ${outcome.why}`,
        { hint: 'Look at the provider, and try again.', data: { credential, owner } },
      );
    }
  }
}
