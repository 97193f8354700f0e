import type { KitResult } from '../../support/kit-process.js';

/**
 * A command to paste decides as `--as` says; a server takes that from the token, and refuses any
 * other name. What is to be pasted is what differs, so that it works where it is pasted: only in a
 * command that decides, and only this.
 */
export const withoutName = (text: string): string =>
  text.replaceAll(/(kit review (?:resolve|approve) \S+) --as [^\s`]+/g, '$1');

/** What may be sent to another person names the server; who is in a directory does not name it. */
const withoutServer = (text: string): string =>
  text.replaceAll(/(kit review (?:resolve|approve) [^\n"`]*?) --server [^\s`"]+/g, '$1');

/** Ages go on between two looks; the first line says as whom and where one asks. */
export const compared = ({ code, stdout, stderr }: KitResult) => ({
  code,
  stdout: withoutServer(stdout)
    .replace(/^as .*\n/, '')
    .replaceAll(/"age_seconds":\d+/g, '"age_seconds":0')
    .replaceAll(/\b\d+(\.\d+)? (ms|s|min|h)\b/g, 'AGE')
    .replaceAll(/ {2,}/g, '  '),
  stderr: stderr.replace(/^server http.*\n/, ''),
});
