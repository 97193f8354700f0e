import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/domain/events.js';
import { contentFields } from '../../../src/govern/redaction/redact-event.js';

const schemas = join(import.meta.dirname, '../../../schemas/events');

describe('the fields of an event that hold text of users, tools and models', () => {
  it.each(EVENT_TYPES)('of %s are fields of its payload, each named once', (type) => {
    const { properties } = JSON.parse(readFileSync(join(schemas, `${type}.schema.json`), 'utf8'));
    const fields = contentFields(type);

    expect(fields.filter((field) => !Object.hasOwn(properties, field))).toEqual([]);
    expect(new Set(fields).size).toBe(fields.length);
  });
});
