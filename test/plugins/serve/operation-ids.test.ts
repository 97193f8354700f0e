import { expect, it } from 'vitest';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { documentPath, operationId } from '../../../plugins/serve/src/server/openapi.js';
import { bundledGroups } from '../../support/http/bundled-groups.js';
import { tokenCallers } from '../../support/http/token-callers.js';
import { noApp } from '../../support/http/turned-away.js';

it('names each operation once', async () => {
  const { auth } = await tokenCallers();
  const groups = await bundledGroups(noApp(async () => 'public'));
  const server = await createServer({ workspace: '/workspace', auth, groups });
  const named = server.serving
    .routes()
    .filter(({ isHidden, method }) => !isHidden && method !== 'HEAD')
    .map(({ method, pattern }) => operationId(method, documentPath(pattern)));
  await server.close();
  expect(named).toContain('getJobsByIdWhy');
  expect(named.filter((id, at) => named.indexOf(id) !== at)).toEqual([]);
});

it.each([
  ['POST', '/run/{topology}', 'postRunByTopology'],
  ['GET', '/gates/{gate_id}', 'getGatesByGateId'],
  ['GET', '/.well-known/agent-card.json', 'getWellKnownAgentCardJson'],
  ['POST', '/mcp', 'postMcp'],
  ['POST', '/mcp/', 'postMcpSlash'],
])('calls %s %s %s', (method, path, id) => {
  expect(operationId(method, path)).toBe(id);
});

it('gives the rest of a path a name, as clients need one', () => {
  expect(documentPath('/artifacts/*')).toBe('/artifacts/{ref}');
  expect(documentPath('/of-a-plugin/*')).toBe('/of-a-plugin/{rest}');
});
