import { isAbsolute, resolve } from 'node:path';
import { KitError } from '../../../domain/errors.js';
import type { WorkspaceSource } from '../../../domain/ports/workspace-sources.js';

/** A name of the registry alone: of `owner/name`, a URL or a folder npm would build something. */
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@[A-Za-z0-9^~][A-Za-z0-9.+^~-]*)?$/;
/** A branch, a tag or a commit; never an option, a refspec or a way upwards. */
const REF = /^[A-Za-z0-9](?:[A-Za-z0-9_+-]|[./](?=[A-Za-z0-9_+-]))*$/;
const SSH_PLACE = /^[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^\s-][^\s]*$/;
const PROTOCOLS = ['https:', 'ssh:', 'file:'];
const MAX_CHARS = 2_000;

const KINDS =
  'Give a git URL (https://, ssh://, file:// or git@host:path, with #branch, #tag or #commit), the name of an npm package, a directory, or a packed .tgz.';

const refusal = (why: string, hint = KINDS): KitError => new KitError('KIT_USAGE', `--from: ${why}`, { hint });

/** Shows a source in a refusal: bounded, without control characters. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 200));

function gitSource(text: string): WorkspaceSource {
  const at = text.indexOf('#');
  const url = at < 0 ? text : text.slice(0, at);
  const ref = at < 0 ? null : text.slice(at + 1);
  if (ref !== null && !REF.test(ref))
    throw refusal(
      `${quoted(ref)} is not a branch, tag or commit`,
      'Write the name behind #, such as #main or #v1.2.0.',
    );
  if (SSH_PLACE.test(url)) return { kind: 'git', url, ref };
  const parsed = URL.parse(url.replace(/^git\+/, ''));
  if (parsed === null || !PROTOCOLS.includes(parsed.protocol))
    throw refusal(
      `kit fetches no ${quoted(url)}`,
      'Use https://, ssh:// or file://: other transports run a program, or are not protected on their way.',
    );
  if (parsed.password !== '' || (parsed.protocol === 'https:' && parsed.username !== ''))
    throw refusal(
      'the URL holds a user or a password',
      'Take it out, and let a credential helper of git answer: `git help credentials`.',
    );
  if (/^-/.test(parsed.hostname) || /^-/.test(parsed.username)) throw refusal(`${quoted(url)} names no host`);
  if (/^\/*-/.test(parsed.pathname)) throw refusal(`${quoted(url)} names no repository`);
  return { kind: 'git', url: parsed.href, ref };
}

/**
 * What `--from` names. A directory that is there wins over a package of its name; `npm:NAME` is the
 * package. `isDirectory` and `isFile` are asked about absolute paths. Throws KIT_USAGE with the
 * forms that there are.
 */
export async function parseSource(
  text: string,
  place: {
    readonly cwd: string;
    readonly isDirectory: (path: string) => Promise<boolean>;
    readonly isFile: (path: string) => Promise<boolean>;
  },
): Promise<WorkspaceSource> {
  if (text === '' || text.startsWith('-')) throw refusal(`${quoted(text)} is not a source`);
  if (text.length > MAX_CHARS || /\p{Cc}/u.test(text))
    throw refusal('the source is too long or holds control characters');
  if (text.startsWith('npm:')) {
    const spec = text.slice('npm:'.length);
    if (!PACKAGE.test(spec)) throw refusal(`${quoted(spec)} is not a name of an npm package`);
    return { kind: 'npm', spec };
  }
  if (/^[a-z0-9+.-]*:/i.test(text) || SSH_PLACE.test(text.split('#', 1)[0] ?? '')) return gitSource(text);
  const path = isAbsolute(text) ? text : resolve(place.cwd, text);
  if (await place.isDirectory(path)) return { kind: 'directory', path };
  if (/\.(tgz|tar\.gz)$/.test(text)) {
    if (await place.isFile(path)) return { kind: 'tarball', path };
    throw refusal(`${quoted(text)} does not exist`, 'Give the path of an archive that `npm pack` wrote.');
  }
  if (!/^[./~]/.test(text) && PACKAGE.test(text)) return { kind: 'npm', spec: text };
  throw refusal(`${quoted(text)} is not a directory, a git URL or an npm package`);
}
