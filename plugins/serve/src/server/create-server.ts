import type { MountedGroup } from '@kit-run/kit/command';
import type { AuthProvider } from '@kit-run/kit/plugin';
import { KitError } from '@kit-run/kit/plugin';
import Fastify, { type FastifyInstance } from 'fastify';
import { authenticator } from './authenticate.js';
import { mountGroup } from './mount-group.js';
import { sendProblem } from './problem.js';
import { createValidatorCompiler } from './validator.js';

/** Ordinary routes and hooks (gaps A7); `/run` sets its own. */
const MAX_BODY_BYTES = 1024 * 1024;

/** What a server is made of. */
export interface ServerParts {
  readonly workspace: string;
  readonly auth: AuthProvider;
  readonly groups: readonly MountedGroup[];
}

/** The HTTP server: hooks that hold for every route, and every group in a scope of its own. It listens to nothing yet. */
export async function createServer({ workspace, auth, groups }: ServerParts): Promise<FastifyInstance> {
  const server = Fastify({ bodyLimit: MAX_BODY_BYTES, routerOptions: { ignoreTrailingSlash: false, maxParamLength: 1024 } });
  server.setValidatorCompiler(createValidatorCompiler());
  server.setErrorHandler(sendProblem);
  server.setNotFoundHandler((request) => {
    throw new KitError('KIT_ROUTE_UNKNOWN', `there is no route ${request.method} ${request.url.split('?', 1)[0]}`);
  });
  server.decorateRequest('caller');
  server.addHook('onRequest', authenticator(auth));
  for (const group of groups) await server.register(mountGroup(group, workspace), { prefix: group.prefix });
  await server.ready();
  return server;
}
