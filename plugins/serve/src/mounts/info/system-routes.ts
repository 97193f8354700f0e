import { toWireStorage, toWireSystem } from '@kit-run/kit/command';
import { STORAGE, SYSTEM } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

/** Where everything lies, and what kit this is. */
export function systemRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get(
    '/storage',
    {
      schema: answers(
        'Where each store lies, which setting says so, how large the store of the runs is, and what is due in it.',
        STORAGE,
      ),
    },
    async () => toWireStorage(await app.info.storage(workspace), await app.info.growth(workspace)),
  );
  server.get(
    '/system',
    { schema: answers('Versions, storage, properties, environment, plugins and command lines. No secret.', SYSTEM) },
    async () => toWireSystem(await app.info.system(workspace)),
  );
}
