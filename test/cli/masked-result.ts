import type { World } from '../e2e/world.js';
import type { KitResult } from '../support/kit-process.js';

/** What differs between two runs of the same line: places, ids, times, keys. */
const masked = (text: string, { base, home }: World): string =>
  text
    .replaceAll(base, '<base>')
    .replaceAll(home.path, '<home>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/(?<![0-9a-z])[0-9a-f]{8,64}(?![0-9a-z])/g, '<hex>')
    .replace(/[A-Za-z0-9+/_-]{42,}=*/g, '<key>')
    .replace(/(?<=(_ms|_seconds|pid)":)[\d.]+/g, '<number>')
    .replace(/:\d+:<hex>/g, ':<pid>:<hex>')
    .replace(/\b[\d.]+ (ms|s)\b/g, '<duration>')
    // Columns are as wide as what stands in them.
    .replace(/ +/g, ' ');

/** What a command said and how it ended, without what differs between two runs. */
export const shown = ({ code, signal, stdout, stderr }: KitResult, world: World) => ({
  code,
  signal,
  stdout: masked(stdout, world),
  stderr: masked(stderr, world),
});
