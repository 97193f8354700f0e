import type { Json } from '@kit-run/kit/plugin';
import type { AdapterSpec, Rule } from '../adapter/spec.js';
import { eventOf } from './emit.js';
import { asText, fieldValue } from './fields.js';
import type { MappedEvent } from './mapped-event.js';
import { itemsAt, matches } from './path.js';

/** Undefined: it is not JSON. */
export function parseLine(line: string): Json | undefined {
  try {
    const value: Json = JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}

function fire(rule: Rule, document: Json, maps: AdapterSpec['maps']): readonly MappedEvent[] {
  const events: MappedEvent[] = [];
  if (rule.setSessionId !== null) {
    const session = fieldValue(rule.setSessionId, document, maps);
    if (session !== undefined && session !== null && session !== '')
      events.push({ type: 'session', sessionId: asText(session) });
  }
  const items = rule.forEach === null ? [document] : itemsAt(document, rule.forEach);
  for (const item of items) {
    for (const emit of rule.emit) {
      if (!matches(item, emit.when)) continue;
      const event = eventOf(emit, item, maps);
      if (event !== null) events.push(event);
    }
  }
  return events;
}

/** A line carries one outcome: of several `result` events the last, most specific rule holds. */
function lastResultOnly(events: readonly MappedEvent[]): readonly MappedEvent[] {
  const last = events.findLastIndex((event) => event.type === 'result');
  return events.filter((event, index) => event.type !== 'result' || index === last);
}

/**
 * What one line of stdout means under an adapter. Pure. All matching rules fire, in file order. A
 * line that is not JSON, or that no rule matches, means nothing; with `retain_raw` it is kept as it
 * is.
 */
export function interpretLine(adapter: AdapterSpec, line: string): readonly MappedEvent[] {
  const document = parseLine(line);
  const raw: readonly MappedEvent[] = adapter.retainRaw && line.trim() !== '' ? [{ type: 'raw', line }] : [];
  if (document === undefined) return raw;
  const rules = adapter.rules.filter((rule) => matches(document, rule.when));
  return rules.length === 0 ? raw : lastResultOnly(rules.flatMap((rule) => fire(rule, document, adapter.maps)));
}
