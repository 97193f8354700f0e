// Writes docs/kinds/, scripts/lib/key-since.json and the table of docs/events.md. Run it after a
// change of a schema, also of one of a plugin; test/house compares.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventsPage } from './lib/events-page.mjs';
import { kindPages } from './lib/kind-pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { pages, since } = await kindPages(root);
await mkdir(join(root, 'docs', 'kinds'), { recursive: true });
for (const [path, text] of pages) await writeFile(join(root, path), text);
await writeFile(join(root, 'scripts', 'lib', 'key-since.json'), `${JSON.stringify(since, null, 2)}\n`);
await writeFile(join(root, 'docs', 'events.md'), await eventsPage(root));
