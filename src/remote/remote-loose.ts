import type { ReadLoose } from '../app/events/read-loose.js';
import type { StoredEvent } from '../domain/events.js';
import { fieldsOf, objectsAt } from '../lib/read-json.js';
import { fromWireEvent } from '../view/schemas/event.js';
import type { RemoteContext } from './remote-context.js';

/** See `EventsApp.loose`. */
export async function readLoose(
  { client }: RemoteContext,
  { types, topology, last }: ReadLoose,
): Promise<readonly StoredEvent[]> {
  const query = {
    limit: last,
    ...(types.length === 0 ? {} : { types: types.join(',') }),
    ...(topology === null ? {} : { topology_id: topology }),
  };
  const fields = fieldsOf(await client.read(client.http.GET('/events/loose', { params: { query } })));
  return objectsAt(fields, 'events').map(fromWireEvent);
}
