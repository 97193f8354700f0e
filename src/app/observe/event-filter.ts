import { KitError } from '../../domain/errors.js';
import { EVENT_TYPES, type EventType, isTypeName, type StoredEvent } from '../../domain/events.js';
import { hintFor } from '../../lib/nearest.js';

const families = (): readonly string[] => [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];

/**
 * The event types that names stand for: a type (`skill.gap`), or a family (`skill`, all of
 * `skill.*`). [] = every type.
 *
 * Throws KIT_USAGE for a name that is neither.
 */
export function typesNamed(names: readonly string[]): readonly EventType[] {
  return names.flatMap((name) => {
    if (isTypeName(name)) return [name];
    const found = EVENT_TYPES.filter((type) => type.startsWith(`${name}.`));
    if (found.length === 0) throw unknownType(name);
    return found;
  });
}

function unknownType(name: string): KitError {
  return new KitError('KIT_USAGE', `there is no event type ${name === '' ? '""' : name}`, {
    hint: hintFor(name, [...EVENT_TYPES, ...families()], {
      prefix: '--type ',
      fallback: `Use one of ${EVENT_TYPES.join(', ')}, or a family: ${families().join(', ')}.`,
    }),
    data: { types: [...EVENT_TYPES] },
  });
}

/** True for events of the agent and of one of the types; null and [] let everything through. */
export function eventFilter(agent: string | null, types: readonly EventType[]): (event: StoredEvent) => boolean {
  const wanted: ReadonlySet<EventType> = new Set(types);
  return (event) => (agent === null || event.agentId === agent) && (wanted.size === 0 || wanted.has(event.type));
}
