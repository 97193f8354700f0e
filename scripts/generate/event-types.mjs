// schemas/events -> the types of src/domain/generated/events.ts.
import { compile } from 'json-schema-to-typescript';
import { readSchemas } from './schemas.mjs';

const options = {
  additionalProperties: false,
  bannerComment: '',
  format: false,
  strictIndexSignatures: true,
  unknownAny: true,
};
const nameOf = (type) =>
  `${type
    .split(/[._]/)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('')
    // as the generator writes a letter behind a digit
    .replace(/\d[a-z]/g, (both) => both.toUpperCase())}Payload`;

/** The text of events.ts: one payload type an event type, the map between them, and all names. */
export async function eventTypes() {
  const schemas = (await readSchemas('schemas/events')).map(({ schema }) => schema);
  const parts = [];
  for (const schema of schemas)
    parts.push(
      await compile({ ...structuredClone(schema), title: nameOf(schema.title) }, nameOf(schema.title), options),
    );
  const map = schemas.map((schema) => `  readonly '${schema.title}': ${nameOf(schema.title)};`).join('\n');
  const names = schemas.map((schema) => `  '${schema.title}',`).join('\n');
  return `${parts.join('\n')}
/** Event type -> payload. */
export interface EventPayloads {
${map}
}

export const EVENT_TYPES = [
${names}
] as const satisfies readonly (keyof EventPayloads)[];
`;
}
