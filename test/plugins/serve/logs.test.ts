import { describe, expect, it } from 'vitest';
import { createAccessLog } from '../../../plugins/serve/src/server/access-log.js';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import type { AccessEntry } from '../../../src/domain/ports/serving.js';
import type { Log } from '../../../src/domain/ports/system.js';
import { sampleContribution } from '../../support/http/sample-mount.js';
import { as, groupOf, TEST_AUTH } from '../../support/http/serve-group.js';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function linesOf() {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (message: string, data: Readonly<Record<string, unknown>> = {}): void =>
      void lines.push({ level, message, data });
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, log };
}

async function served() {
  const { lines, log } = linesOf();
  const kept: AccessEntry[] = [];
  const server = await createServer({
    workspace: '/workspace',
    auth: TEST_AUTH,
    groups: [await groupOf(sampleContribution, {})],
    log,
    recordAccess: async (entries) => void kept.push(...entries),
  });
  return { server, lines, kept };
}

describe('the log of a server', () => {
  it('has one line a request: pattern, status, time and ids, and nothing of the address or the headers', async () => {
    const { server, lines } = await served();
    await server.inject({
      url: '/things/planted-id?q=planted-query',
      headers: { ...as('read', 'dora'), 'x-request-id': 'r1', 'x-api-key': 'planted-key' },
    });
    await server.inject({ url: '/planted-path', headers: as('read') });
    await server.inject({ url: '/read' });
    await server.close();
    expect(lines.map(({ data }) => data)).toEqual([
      { method: 'GET', route: '/things/:id', status: 422, ms: expect.any(Number), request_id: 'r1', client_id: 'dora' },
      {
        method: 'GET',
        route: '(none)',
        status: 404,
        ms: expect.any(Number),
        request_id: expect.any(String),
        client_id: 'alice',
      },
      {
        method: 'GET',
        route: '/read',
        status: 401,
        ms: expect.any(Number),
        request_id: expect.any(String),
        client_id: '',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('planted');
  });

  it('names a status that a route does not declare as a defect, and no other', async () => {
    const { server, lines } = await served();
    for (const url of ['/teapot', '/full', '/gone', '/read']) await server.inject({ url, headers: as('run') });
    await server.inject({ url: '/read' });
    await server.close();
    const defects = lines.filter(({ level }) => level === 'error');
    expect(defects).toEqual([
      {
        level: 'error',
        message: 'a route answered with a status that it does not declare',
        data: { method: 'GET', route: '/teapot', status: 418, plugin: 'test', request_id: expect.any(String) },
      },
    ]);
  });

  it('tells why a request failed inside, which its caller is not told', async () => {
    const { server, lines } = await served();
    await server.inject('/bug');
    await server.close();
    expect(lines[0]).toMatchObject({ level: 'error', message: 'a request failed', data: { code: 'KIT_INTERNAL' } });
    expect(String(lines[0]?.data.error)).toContain('a secret of the inside');
  });
});

describe('the access log', () => {
  it('keeps every run and admin call and every 403, with the pattern of the route', async () => {
    const { server, kept } = await served();
    await server.inject({ url: '/read', headers: as('read') });
    await server.inject({ method: 'PUT', url: '/read', headers: as('run', 'carl') });
    await server.inject({ url: '/silent', headers: { ...as('admin'), 'x-request-id': 'r2' } });
    await server.inject({ method: 'PUT', url: '/read', headers: as('read', 'eve') });
    await server.inject({ method: 'PUT', url: '/read' });
    await server.close();
    expect(kept.map(({ clientId, method, route, status }) => [clientId, method, route, status])).toEqual([
      ['carl', 'PUT', '/read', 200],
      ['alice', 'GET', '/silent', 200],
      ['eve', 'PUT', '/read', 403],
      ['', 'PUT', '/read', 401],
    ]);
    expect(kept[1]).toMatchObject({ provider: 'test', requestId: 'r2' });
  });

  const entry: AccessEntry = { clientId: 'a', provider: 'p', method: 'GET', route: '/x', status: 200, requestId: 'r' };

  it('makes nobody wait, writes what has gathered together, and goes on after a store that failed', async () => {
    const { lines, log } = linesOf();
    const batches: number[] = [];
    let isAway = true;
    const access = createAccessLog(async (entries) => {
      if (isAway) throw new Error('the store is away');
      batches.push(entries.length);
    }, log);
    access.add(entry);
    access.add(entry);
    await access.flush();
    expect(lines).toMatchObject([{ level: 'warn', data: { entries: 2 } }]);
    isAway = false;
    for (let n = 0; n < 501; n += 1) access.add(entry);
    await expect.poll(() => batches).toEqual([500, 1]);
  });

  it('has a bound, and says how much is lost', async () => {
    const { lines, log } = linesOf();
    const gate = Promise.withResolvers<void>();
    const access = createAccessLog(() => gate.promise, log);
    for (let n = 0; n < 10_002; n += 1) access.add(entry);
    expect(lines).toMatchObject([{ level: 'warn', message: 'the access log is full; entries are lost' }]);
    gate.resolve();
    await access.flush();
  });
});
