import { isObject, type Json } from '@kit-run/kit/plugin';
import type { SpecReader } from './read.js';
import { type Emit, EVENT_NAMES, type EventName, type FieldSource, type Rule } from './spec.js';

const isEventName = (name: string): name is EventName => EVENT_NAMES.some((known) => known === name);

/** `$` is the whole item, `$.a.b` a place in it; every other string is a literal. */
const isPath = (text: string): boolean => text === '$' || text.startsWith('$.');

function readField(reader: SpecReader, value: Json, pointer: string): FieldSource {
  if (typeof value === 'string' && isPath(value)) return { kind: 'path', path: value };
  if (isObject(value))
    return {
      kind: 'lookup',
      path: reader.text(value.from, `${pointer}/from`),
      map: reader.text(value.map, `${pointer}/map`),
    };
  return { kind: 'literal', value: reader.scalar(value, pointer) };
}

function readEmit(reader: SpecReader, value: Json, pointer: string): readonly Emit[] {
  const emit = reader.object(value, pointer);
  const event = reader.text(emit.event, `${pointer}/event`);
  if (!isEventName(event)) {
    reader.problem(`${pointer}/event`, `unknown event "${event}"`);
    return [];
  }
  const fields = Object.entries(reader.object(emit.with, `${pointer}/with`));
  return [
    {
      event,
      when: reader.scalarMap(emit.when, `${pointer}/when`),
      with: Object.fromEntries(
        fields.map(([name, source]) => [name, readField(reader, source, `${pointer}/with/${name}`)]),
      ),
    },
  ];
}

/** One rule of `event_map`. */
export function readRule(reader: SpecReader, value: Json, pointer: string): Rule {
  const rule = reader.object(value, pointer);
  const set = reader.object(rule.set, `${pointer}/set`);
  for (const key of Object.keys(set))
    if (key !== 'session_id') reader.problem(`${pointer}/set/${key}`, 'only session_id can be set');
  return {
    when: reader.scalarMap(rule.when, `${pointer}/when`),
    forEach: rule.for_each === undefined ? null : reader.text(rule.for_each, `${pointer}/for_each`),
    setSessionId: set.session_id === undefined ? null : readField(reader, set.session_id, `${pointer}/set/session_id`),
    emit: reader
      .list(rule.emit, `${pointer}/emit`)
      .flatMap((item, index) => readEmit(reader, item, `${pointer}/emit/${index}`)),
  };
}

/** Every named map that a rule looks up must exist: a lookup without a table would be silence. */
export function checkLookups(reader: SpecReader, rules: readonly Rule[], maps: readonly string[]): void {
  rules.forEach((rule, ruleIndex) => {
    rule.emit.forEach((emit, emitIndex) => {
      for (const [name, source] of Object.entries(emit.with)) {
        if (source.kind !== 'lookup' || maps.includes(source.map)) continue;
        reader.problem(`/event_map/${ruleIndex}/emit/${emitIndex}/with/${name}/map`, `no map named "${source.map}"`);
      }
    });
  });
}
