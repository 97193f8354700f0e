import { basename } from 'node:path';

/**
 * Keys whose values differ between two runs of one workspace, or that digest the text of a file,
 * which is not an effect of it.
 */
const VOLATILE =
  /^(duration_ms|timestamp|at|cursor|pos|event_id|seq|run_id|hash|prev_hash|.*sha256|digest|snapshot|host|user-agent|content-length|idempotency-key)$/;

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+\/scene-\d+/g, 'MODEL'],
  [/\/scene-\d+\//g, '/'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\b[0-9a-f]{12,64}\b/g, 'HEX'],
  [/\bkit-gate-[A-Za-z0-9]{6}\b/g, 'kit-gate-ANY'],
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME'],
  [/\/[\w./-]*kit-worktree[\w./-]*/g, 'WORKTREE'],
];

/**
 * Takes out what is different each time: ids, times, digests, places. What is left differs only
 * when something really does.
 */
export function normalize(value: unknown, directory: string): unknown {
  if (typeof value === 'string') {
    const local = value.replaceAll(directory, 'DIR').replaceAll(basename(directory), 'DIR');
    return TEXTS.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), local);
  }
  if (Array.isArray(value)) return value.map((item) => normalize(item, directory));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.test(name))
      .map(([name, member]) => [normalize(name, directory), normalize(member, directory)]),
  );
}
