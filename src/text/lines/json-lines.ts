import type { StoredEvent } from '../../domain/events.js';
import type { JsonObject } from '../../domain/json.js';
import { toWireEvent } from '../../view/schemas/event.js';

/**
 * `--json`: one JSON value a line; the last line of a command is `result` or `error`
 * (docs/design/decisions.md#json-lines).
 */
export const eventJsonLine = (event: StoredEvent, cursor?: string): string =>
  JSON.stringify({ type: 'event', ...toWireEvent(event, cursor) });

/** A result of a command: parked and stopped runs are results too. */
export const resultJsonLine = (result: JsonObject): string => JSON.stringify({ ...result, type: 'result' });
