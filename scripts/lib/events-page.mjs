// docs/events.md: its table of event types, made from schemas/events.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const TABLE = /(?<=^\| type \| it says \|\n\|---\|---\|\n)(?:\|.*\n)*/m;

/** The whole page: what people wrote around the table stays. */
export async function eventsPage(root) {
  const folder = join(root, 'schemas', 'events');
  const files = (await readdir(folder)).sort();
  const schemas = await Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))));
  const rows = schemas.map(({ title, description }) => `| \`${title}\` | ${description} |\n`);
  return (await readFile(join(root, 'docs/events.md'), 'utf8')).replace(TABLE, () => rows.join(''));
}
