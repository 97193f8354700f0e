import type { Network } from './world.js';

/**
 * A server that keeps what is PUT under an address, and answers GET and HEAD with it, or 404. The
 * query and the headers say nothing to it.
 */
export function keepingServer(): Network {
  const kept = new Map<string, Uint8Array>();
  return async (_sent, _init, { method, url, body }) => {
    const address = url.split('?')[0] ?? url;
    if (method === 'PUT') {
      kept.set(address, body);
      return new Response(null, { status: 200 });
    }
    const found = kept.get(address);
    if (found === undefined) return new Response(null, { status: 404 });
    const headers = { 'content-length': String(found.byteLength) };
    return new Response(method === 'HEAD' ? null : Uint8Array.from(found), { status: 200, headers });
  };
}
