import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/domain/events.js';
import { projectRoot } from '../support/kit-process.js';

it('docs/events.md has a row for every event type with the description of its schema, and no other', async () => {
  const page = await readFile(join(projectRoot, 'docs/events.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z0-9_]+(?:\.[a-z_]+)?)` \| (.*) \|$/gm)].map(([, type, text]) => [
    type,
    text,
  ]);
  const wanted = await Promise.all(
    EVENT_TYPES.map(async (type) => {
      const { description } = JSON.parse(
        await readFile(join(projectRoot, 'schemas/events', `${type}.schema.json`), 'utf8'),
      );
      return [type, description];
    }),
  );
  expect(rows, 'a row `| type | description of its schema |` in the order of EVENT_TYPES').toEqual(wanted);
});
