import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';
import type { ForeignPjson } from '../package-facts.js';
import { failed, passed, warned } from './lines.js';

const plain = (path: string): string => path.replace(/^\.?\//, '').replace(/\/(\*\*?(\/\*)?)?$/, '');

/**
 * A pattern of npm's `files` that names this file or a folder above it; patterns with `*` inside
 * are not judged.
 */
const covers = (pattern: string, file: string): boolean =>
  file === plain(pattern) || file.startsWith(`${plain(pattern)}/`);

/**
 * Files that the manifest names and `npm pack` would leave out: the plugin works in its folder and
 * nowhere else.
 */
export function publishedLines(pjson: ForeignPjson, named: readonly string[]): readonly PluginCheckLine[] {
  const { files } = pjson;
  if (!Array.isArray(files)) {
    const hint = 'Name the folders that the plugin needs under `files` in package.json.';
    return [
      warned('published', 'package.json', {
        message: 'it has no `files`: everything in the folder would be published',
        hint,
      }),
    ];
  }
  const patterns = files.filter((entry) => typeof entry === 'string');
  if (patterns.some((pattern) => /[*!]/.test(plain(pattern)))) return [];
  const left = [...new Set(named)].filter((file) => !patterns.some((pattern) => covers(pattern, plain(file))));
  if (left.length === 0) return [passed('published', 'package.json')];
  return left.map((file) =>
    failed('published', file, {
      message: '`npm pack` leaves it out',
      hint: 'Add it, or its folder, to `files` in package.json.',
    }),
  );
}
