import { isIP } from 'node:net';
import { KitError } from '../../domain/errors.js';
import type { CheckedAddress } from '../../domain/ports/outbound.js';
import type { AddressJudge } from './addresses.js';
import { outboundFailed } from './failures.js';

/** Every address of a name, as `dns.lookup` with `all` gives them. */
export type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * The addresses of a URL that may be called, resolved here and never again. Throws
 * KIT_OUTBOUND_REFUSED when none of them may be, KIT_OUTBOUND_FAILED when the name has none.
 */
export async function resolveHost(url: URL, lookup: Lookup, judge: AddressJudge): Promise<readonly CheckedAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const literal = isIP(host);
  const found = literal === 0 ? await lookedUp(url, host, lookup) : [{ address: host, family: literal }];
  const judged = found.map(({ address, family }) => ({ address, family, why: judge(host, address) }));
  const good = judged.flatMap(({ address, family, why }): readonly CheckedAddress[] =>
    why === null ? [{ address, family: family === 6 ? 6 : 4 }] : [],
  );
  if (good.length > 0) return good;
  const bad = judged.find(({ why }) => why !== null);
  if (bad === undefined) throw outboundFailed(url, 'has no address', { isSent: false });
  const whose = bad.address === host ? 'it' : bad.address;
  throw new KitError('KIT_OUTBOUND_REFUSED', `${url.host} is not called: ${whose} ${bad.why}`, {
    data: { host: url.host },
  });
}

async function lookedUp(url: URL, host: string, lookup: Lookup) {
  try {
    return await lookup(host);
  } catch (error) {
    throw outboundFailed(url, 'has no address', { isSent: false, cause: error });
  }
}
