import { type AgentCard, isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { versionOf } from '../rpc/protocol.js';
import { invalid, saidBy } from './ask.js';

const MAX_SKILLS = 500;

const FEDERATION = /^urn:(kit|swarmkit):a2a:federation:v1$/;

const listOf = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Endpoints that are spoken here, the newest version first. */
function endpointOf(card: JsonObject): { readonly url: string; readonly version: string } | null {
  const named = listOf(card.supportedInterfaces).flatMap(({ url, protocolBinding, protocolVersion }) => {
    const version = typeof protocolVersion === 'string' ? versionOf(protocolVersion) : null;
    return typeof url === 'string' && protocolBinding === 'JSONRPC' && version !== null ? [{ url, version }] : [];
  });
  const newest = named.find(({ version }) => version === '1.0') ?? named[0];
  if (newest !== undefined) return newest;
  const { url, protocolVersion, preferredTransport = 'JSONRPC' } = card;
  const version = typeof protocolVersion === 'string' ? versionOf(protocolVersion) : null;
  return typeof url === 'string' && preferredTransport === 'JSONRPC' && version === '0.3' ? { url, version } : null;
}

/** A card of either version. Throws KIT_AGENT_INVALID. */
export function readCard(cardUrl: string, card: JsonObject): AgentCard {
  const name = saidBy(card.name);
  if (name === null) throw invalid(cardUrl, 'answers with something that is not an Agent Card: it names no agent');
  const endpoint = endpointOf(card);
  if (endpoint === null)
    throw invalid(cardUrl, 'has an Agent Card without an endpoint for JSON-RPC in version 0.3 or 1.0');
  if (!URL.canParse(endpoint.url)) throw invalid(cardUrl, 'has an Agent Card whose endpoint is not an address');
  const skills = listOf(card.skills)
    .slice(0, MAX_SKILLS)
    .flatMap(({ id, name: title, description }) =>
      typeof id === 'string'
        ? [{ id: saidBy(id) ?? '', name: saidBy(title) ?? '', description: saidBy(description) ?? '' }]
        : [],
    );
  if (skills.length === 0) throw invalid(cardUrl, 'has an Agent Card without skills');
  const capabilities = isObject(card.capabilities) ? card.capabilities : {};
  const params = listOf(capabilities.extensions)
    .filter(({ uri }) => typeof uri === 'string' && FEDERATION.test(uri))
    .map((extension) => (isObject(extension.params) ? extension.params : {}));
  const says = (what: string): boolean => params.some((one) => one[what] === true);
  return {
    ...{ name, description: saidBy(card.description) ?? '', ...endpoint, skills },
    streaming: capabilities.streaming === true,
    requiresBearer: [card.security, card.securityRequirements].some((one) => Array.isArray(one) && one.length > 0),
    honorsBudget: says('honors_budget'),
    returnsUsage: says('returns_usage'),
    deduplicates: says('deduplicates'),
  };
}
