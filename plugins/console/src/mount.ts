import type { App } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount, KitError } from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type PageFile, type PageFiles, readPageFiles } from './page-files.js';

/** Nothing of the page comes from elsewhere, and nothing in it is code but its own files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Names of built files hold a digest of their bytes; the page that names them is asked for anew.
 */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Pages are not part of the API that its description tells. */
const SCHEMA: FastifySchema & { readonly hide: true } = { hide: true };

interface Used {
  readonly info: Pick<App['info'], 'offered'>;
}

const switchedOff = (path: string): KitError =>
  new KitError('KIT_ROUTE_UNKNOWN', `there is no route GET /console${path === '' ? '' : `/${path}`}`, {
    hint: 'The console of this workspace is switched off: `server.console.enabled` of workspace.yaml.',
  });

/**
 * The pages: static files, the same for everybody. All that they show comes over the HTTP API, with
 * the rights of whoever looks. Nothing is read before the first request.
 */
const mount: HttpMount<Used> = {
  register(server, { app, workspace }) {
    let files: Promise<PageFiles> | undefined;
    const read = (): Promise<PageFiles> => (files ??= readPageFiles(new URL('../dist/web/', import.meta.url)));
    const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
      const { named, page } = await read();
      const file = named(path) ?? page;
      // The page is asked for anew each time, and nothing else of it is named without it.
      if (file === page && !(await app.info.offered(workspace)).server.console.enabled) throw switchedOff(path);
      return answer(request, reply, file);
    };
    server.get('/console', { config: { tier: 'public' }, schema: SCHEMA }, (request, reply) =>
      send(request, reply, ''),
    );
    server.get<{ Params: { readonly '*': string } }>(
      '/console/*',
      { config: { tier: 'public' }, schema: SCHEMA },
      (request, reply) => send(request, reply, request.params['*']),
    );
  },
};

function answer(request: FastifyRequest, reply: FastifyReply, file: PageFile) {
  const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  return reply
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'accept-encoding')
    .header('cache-control', file.isHashed ? FOR_EVER : 'no-store')
    .headers(isPacked ? { 'content-encoding': 'gzip' } : {})
    .type(file.mediaType)
    .send(isPacked ? file.packed() : file.bytes);
}

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
