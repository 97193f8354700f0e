import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventsServer, openEventsServer } from '../../../support/http/events-server.js';
import { openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';
import { as } from '../../../support/http/serve-group.js';

let desk: ReviewServer;
let log: EventsServer;
beforeEach(async () => {
  desk = await openReviewServer();
  log = await openEventsServer();
});
afterEach(() => desk.world.dispose());

const BIG = JSON.stringify({ outcome: 'reject', correlation_id: 'a', event: 'b', comment: 'x'.repeat(1024 * 1024) });

/** What is wrong with a body before anything of it is looked at. */
const BODIES = [
  ['no JSON', 'application/json', '{"outcome":', 400],
  ['an array', 'application/json', '[]', 422],
  ['a text', 'application/json', '"approve"', 422],
  ['a comment that is not text', 'application/json', '{"comment":7,"correlation_id":7}', 422],
  ['more than 1 MiB', 'application/json', BIG, 413],
  ['a form', 'application/x-www-form-urlencoded', 'outcome=approve', 415],
] as const;

const ROUTES = [
  '/review/:id/approve',
  '/review/:id/reject',
  '/review/:id/answer',
  '/review/:id/resolve',
  '/events/signal',
] as const;
const CASES = ROUTES.flatMap((route) =>
  BODIES.map(([name, type, payload, status]) => ({ route, name, type, payload, status })),
);

describe('a body', () => {
  it.each(CASES)('of $name is refused by POST $route with $status', async ({ route, type, payload, status }) => {
    const { gate } = await desk.world.parked();
    const { server } = route === '/events/signal' ? log : desk;
    const url = route.replace(':id', encodeURIComponent(`mpa-${gate.gateId}-0-qa`));
    const answer = await server.inject({
      method: 'POST',
      url,
      headers: { ...as('run', 'qa-1'), 'content-type': type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(await log.logged('pipeline.ingress')).toEqual([]);
    expect((await desk.world.sqlite.stores.reviews.item(`mpa-${gate.gateId}-0-qa`))?.status).toBe('pending');
  });
});

describe('an address', () => {
  it.each([
    ['/gates/%00', 404],
    [`/gates/${'x'.repeat(900)}`, 404],
    ['/gates/%F0%9F%94%91:%0A', 404],
    ['/review/%00', 404],
    ['/review/%25', 404],
    ['/review/_', 404],
    ['/artifacts/%00/%00/%00', 404],
    ['/artifacts/a', 404],
    ['/artifacts/', 404],
    ['/artifacts/..%2F..%2Fetc%2Fpasswd', 404],
    ['/artifacts/a/b/c%23xyz', 404],
    ['/artifacts?run_id=%00', 404],
    ['/artifacts?limit=1e9', 422],
    ['/review?after=nothing', 404],
    ['/review?limit=1&limit=2', 422],
    ['/review?kind=role_task&kind=input', 422],
  ])('%s is answered with %i', async (url, status) => {
    await desk.world.parked();
    expect((await desk.server.inject({ url, headers: as('read') })).statusCode).toBe(status);
  });

  it.each([
    ['/events?after=%00', 400],
    ['/events?run_id=%00', 200],
    ['/events?limit=1&limit=2', 422],
    ['/audit?agent_id=%00', 200],
    ['/audit?since=%00', 422],
    ['/audit?since=9999-99-99T99:99:99Z', 422],
    ['/audit?since=0000-01-01T00:00:00Z', 200],
  ])('%s of the log is answered with %i', async (url, status) => {
    expect((await log.server.inject({ url, headers: as('read') })).statusCode).toBe(status);
  });
});
