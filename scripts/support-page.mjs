// Writes test/support/README.md. Run it after a change of a helper's name or first sentence;
// test/house compares.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { supportPage } from './lib/support-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await writeFile(`${root}test/support/README.md`, supportPage(root));
