import { defineHttpMount } from '@kit-run/kit/plugin';

/** @import { App } from '@kit-run/kit/command' */
/** @import { HttpMount } from '@kit-run/kit/plugin' */

/** The newest runs that are counted. */
const LIMIT = 1000;

const COUNTS = {
  summary: 'How many of the newest runs have which status.',
  response: {
    200: {
      type: 'object',
      description: 'Status and count.',
      additionalProperties: false,
      required: ['counts'],
      properties: { counts: { type: 'object', additionalProperties: { type: 'integer' } } },
    },
  },
};

/** @type {HttpMount['register']} */
const register = (server, { app, workspace }) => {
  // The manifest names it under `uses`; another member of `app` would throw.
  const { jobs } = /** @type {Pick<App, 'jobs'>} */ (app);

  server.get('/counts', { schema: COUNTS }, async () => {
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { status } of await jobs.list({ workspace, limit: LIMIT })) counts[status] = (counts[status] ?? 0) + 1;
    return { counts };
  });
};

export const contribution = defineHttpMount({ create: () => ({ register }) });
