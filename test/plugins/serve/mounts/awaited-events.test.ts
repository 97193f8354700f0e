import { describe, expect, it } from 'vitest';
import { openEventsServer } from '../../../support/http/events-server.js';
import { messageEvent } from '../../../support/store-samples.js';

interface Page {
  readonly events: readonly { readonly event_type: string }[];
  readonly next_cursor: string;
}

describe('GET /events with wait', () => {
  it('begins at the end where nobody says after what', async () => {
    const { world, get } = await openEventsServer();
    await world.stores.events.append(messageEvent(world.ids.uuid(), 'before'), {});

    const { status, body } = await get('/events?wait=25');

    const { next_cursor: cursor, ...page } = body as unknown as Page;
    expect(status).toBe(200);
    expect(page).toEqual({ events: [], has_more: false });
    expect((await get(`/events?after=${cursor}`)).body).toMatchObject({ events: [] });
    await world.stores.events.append(messageEvent(world.ids.uuid(), 'after'), {});
    expect((await get(`/events?after=${cursor}`)).body).toMatchObject({ events: [{ event_type: 'executor.message' }] });
  });

  it('answers with what is there, and waits for what is not', async () => {
    const { world, get } = await openEventsServer();
    const { next_cursor: cursor } = (await get('/events?wait=25')).body as unknown as Page;
    let isAnswered = false;
    const waiting = get(`/events?wait=25&after=${encodeURIComponent(cursor)}`).then((answer) => {
      isAnswered = true;
      return answer;
    });
    // As many round trips as an answer without waiting takes, and more.
    for (let n = 0; n < 5; n++) await get('/events');
    expect(isAnswered).toBe(false);

    await world.stores.events.append(messageEvent(world.ids.uuid(), 'what was waited for'), {});

    expect((await waiting).body).toMatchObject({ events: [{ payload: { text: 'what was waited for' } }] });
  });

  it('is empty with the same cursor when its time is over', async () => {
    const { world, get } = await openEventsServer();
    await world.stores.events.append(messageEvent(world.ids.uuid(), 'before'), {});
    const { next_cursor: cursor } = (await get('/events?wait=0')).body as unknown as Page;

    const { body } = await get(`/events?wait=0&after=${encodeURIComponent(cursor)}`);

    expect(body).toEqual({ events: [], next_cursor: cursor, has_more: false });
  });

  it.each(['wait=61', 'wait=-1', 'wait=soon'])('refuses %s', async (query) => {
    const { get } = await openEventsServer();

    expect((await get(`/events?${query}`)).status).toBe(422);
  });
});
