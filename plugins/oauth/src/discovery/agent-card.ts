import { isKitError, isObject, type OutboundFetch } from '@kit-run/kit/plugin';
import { objectAt, textAt } from './values.js';

type Document = Readonly<Record<string, unknown>>;

/** In 1.0 a scheme lies below the name of its kind; in 0.3 it says its `type`. */
const schemeOf = (scheme: Document, type: string): Document | null =>
  textAt(scheme, 'type') === type ? scheme : objectAt(scheme, `${type}SecurityScheme`);

/** The document of metadata, or the address of a token, from which the issuer is to be had. */
function hintOf(scheme: Document): { readonly document: string | null; readonly token: string | null } | null {
  const connect = schemeOf(scheme, 'openIdConnect');
  if (connect !== null) return { document: textAt(connect, 'openIdConnectUrl'), token: null };
  const oauth2 = schemeOf(scheme, 'oauth2');
  if (oauth2 === null) return null;
  const code = objectAt(objectAt(oauth2, 'flows') ?? {}, 'authorizationCode');
  return {
    document: textAt(oauth2, 'oauth2MetadataUrl'),
    token: code === null ? null : (textAt(code, 'authorizationUrl') ?? textAt(code, 'tokenUrl')),
  };
}

async function jsonAt(url: string, fetch: OutboundFetch): Promise<Document | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.status === 200) {
      const value: unknown = JSON.parse(await response.text());
      return isObject(value) ? value : null;
    }
    await response.body?.cancel();
    return null;
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_REFUSED') throw error;
    return null;
  }
}

/**
 * Issuer that the card of an agent names with its scheme `openIdConnect` or `oauth2`; null = the
 * address is not a card, or its card names none. Throws KIT_OUTBOUND_REFUSED.
 */
export async function issuerOfCard(endpoint: URL, fetch: OutboundFetch): Promise<string | null> {
  if (!/\.json$/.test(endpoint.pathname)) return null;
  const card = await jsonAt(endpoint.href, fetch);
  const schemes = card === null ? null : objectAt(card, 'securitySchemes');
  for (const scheme of Object.values(schemes ?? {})) {
    const hint = isObject(scheme) ? hintOf(scheme) : null;
    if (hint === null) continue;
    const document = hint.document === null ? null : await jsonAt(hint.document, fetch);
    const issuer = document === null ? null : textAt(document, 'issuer');
    const found = issuer ?? (hint.token === null ? null : (URL.parse(hint.token)?.origin ?? null));
    if (found !== null) return found;
  }
  return null;
}
