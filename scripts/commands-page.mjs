// Writes docs/commands.md. Run it after a change of a command; test/house compares.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { commandsPage } from './lib/commands-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await writeFile(`${root}docs/commands.md`, await commandsPage(root));
