import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { utf8Text } from '../../lib/utf8.js';

/** Binary files in full, or work would be lost with the worktree. */
const PATCH = ['--binary', '--unified=3'];

/** `git diff` with options before its own; each byte of what it says is one character. */
export type DiffBytes = (options: readonly string[]) => Promise<string>;

/**
 * The diff as text that gives the very bytes again. What is not UTF-8 cannot stand in text: of a
 * file that holds it git tells the bytes, as of a picture.
 *
 * @param commonDir a stand-in, whose attributes may be written
 */
export async function exactDiff(diff: DiffBytes, commonDir: string): Promise<string> {
  const bytes = await diff(PATCH);
  const text = textOf(bytes);
  if (text !== null) return text;
  const { diffSections } = await import('../../lib/diff-files.js');
  const sections = diffSections(bytes);
  const paths = pathsOf(await diff(['--raw', '-z']));
  if (paths.length !== sections.length) throw notText();
  const unclear = new Set(paths.filter((_path, at) => textOf(sections[at] ?? '') === null));
  const lines = [...unclear].map((path) => `${patternOf(path)} -diff\n`).join('');
  await appendFile(join(commonDir, 'info', 'attributes'), `\n${lines}`, 'latin1');
  const exact = textOf(await diff(PATCH));
  if (exact === null) throw notText();
  return exact;
}

const textOf = (latin1: string): string | null => utf8Text(Buffer.from(latin1, 'latin1'), { keepsMark: true });

/** One path a section: a file that becomes a link, or a link a file, has two. */
function pathsOf(raw: string): readonly string[] {
  const fields = raw.split('\0');
  const paths: string[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const status = fields[at]?.split(' ').at(-1) ?? '';
    const hasMoved = /^[RC]/.test(status);
    const path = fields[at + (hasMoved ? 2 : 1)] ?? '';
    paths.push(...(status === 'T' ? [path, path] : [path]));
    at += hasMoved ? 3 : 2;
  }
  return paths;
}

/** Of `.gitattributes`, for this file alone. */
function patternOf(path: string): string {
  const literal = path.replace(/[\\*?[\]]/g, '\\$&');
  const quoted = literal.replace(/["\\]/g, '\\$&').replace(/[^ -~\u0080-\u00ff]/g, octal);
  return `"/${quoted}"`;
}

const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;

const notText = (): KitError =>
  new KitError('KIT_SANDBOX_UNAVAILABLE', 'the change holds bytes that are not UTF-8 and that git tells as text', {
    hint: 'Mark the files that hold them as binary in .git/info/attributes of the repository.',
  });
