import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventsPage } from '../../scripts/lib/events-page.mjs';
import { EVENT_TYPES } from '../../src/domain/events.js';
import { projectRoot } from '../support/kit-process.js';

it('docs/events.md has a row for every event type with the description of its schema, and no other', async () => {
  const page = await readFile(join(projectRoot, 'docs/events.md'), 'utf8');
  const types = [...page.matchAll(/^\| `([a-z0-9_]+(?:\.[a-z_]+)?)` \| /gm)].map(([, type]) => type);

  expect(page, 'node scripts/kind-pages.mjs').toBe(await eventsPage(projectRoot));
  expect(types).toEqual(EVENT_TYPES);
});
