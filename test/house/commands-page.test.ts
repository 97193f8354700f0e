import { expect, it } from 'vitest';
import { commandsPage } from '../../scripts/lib/commands-page.mjs';
import { projectRoot } from '../support/kit-process.js';
import { readText } from '../support/markdown.js';

it('docs/commands.md is what the commands say (node scripts/commands-page.mjs writes it)', async () => {
  expect(readText('docs/commands.md'), 'node scripts/commands-page.mjs').toBe(await commandsPage(`${projectRoot}/`));
});
