import { expect, it } from 'vitest';
import { contribution as serverGroup } from '../../../plugins/serve/src/mounts/server/mount.js';
import { groupOf, serveParts } from '../../support/http/serve-group.js';

it.each(['store-full', 'store-read-only', 'store-gone', 'store-corrupt', 'store-unavailable'])(
  'GET /health is 503 for a store that is %s, and lives all the same',
  async (state) => {
    const app = { serve: { current: () => ({ id: 'shop' }), role: () => 'api', storeState: async () => state } };
    const group = await groupOf(serverGroup, app, { id: 'kit.http-server', tier: 'read' });
    const server = await serveParts({ version: '1.2.3', groups: [group] });
    const refused = await server.inject('/health');
    expect([refused.statusCode, refused.json()]).toEqual([503, { status: state, runtime_version: '1.2.3' }]);
    const alive = await server.inject('/health?live');
    expect([alive.statusCode, alive.json()]).toMatchObject([200, { status: 'ok' }]);
  },
);
