import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { OpenedSource, SourceEntry } from '../../domain/ports/workspace-sources.js';
import { runProgram } from '../run-program.js';
import { lastLine } from '../worktrees/git.js';

const TIMEOUT_MS = 5 * 60_000;
const MAX_LINK_BYTES = 4_096;

/**
 * Whatever the user's configuration says: no hook, no monitor, no maintenance, no submodule, no
 * other place that objects come from.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'transfer.bundleURI=false',
].flatMap((setting) => ['-c', setting]);

/** What of `GIT_*` says how somebody signs in; the rest would move git to another repository. */
const KEPT = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM'];

const gitEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.includes(name))),
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'https:ssh:file',
  GIT_NO_LAZY_FETCH: '1',
});

interface Listed extends SourceEntry {
  readonly object: string;
}

/** `<mode> <type> <object> <size>\t<path>`, each ended by a NUL. */
function listedIn(output: string): readonly Listed[] {
  const lines = output.split('\0').filter((line) => line !== '');
  return lines.flatMap((line) => {
    const [, mode = '', type = '', object = '', size = '', path = ''] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(line) ?? [];
    const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : type === 'blob' ? 'file' : 'other';
    return [{ path, kind, bytes: Number(size) || 0, target: null, object }];
  });
}

/** Answers of `cat-file --batch`: `<object> blob <size>\n<content>\n`. */
function contentsIn(output: string, count: number): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; found.length < count; ) {
    const end = output.indexOf('\n', at);
    const size = Number(/ blob (\d+)$/.exec(output.slice(at, end))?.[1] ?? Number.NaN);
    if (end < 0 || !Number.isInteger(size) || end + 1 + size > output.length)
      throw new KitError('KIT_USAGE', '--from: git did not give all files of the commit', {
        hint: 'Fetch the repository by yourself, and give its directory. Nothing was written.',
      });
    found.push(Buffer.from(output.slice(end + 1, end + 1 + size), 'latin1'));
    at = end + 1 + size + 1;
  }
  return found;
}

/**
 * One commit of a repository. It is fetched into a bare repository of its own and never checked
 * out: no filter (Git LFS), no hook and no setting of the repository is carried out.
 */
export async function openGit(
  { url, ref }: { readonly url: string; readonly ref: string | null },
  parts: { readonly env: NodeJS.ProcessEnv; readonly tempDir: string },
): Promise<OpenedSource> {
  const root = await mkdtemp(join(parts.tempDir, 'kit-from-'));
  const env = gitEnvironment(parts.env);
  const close = (): Promise<void> => rm(root, { recursive: true, force: true });
  const git = async (argv: readonly string[], input = ''): Promise<string> => {
    const asked = ['git', ...SETTINGS, '-C', root, ...argv] as const;
    const { code, stdout, stderr } = await runProgram(asked, {
      cwd: root,
      env,
      timeoutMs: TIMEOUT_MS,
      encoding: 'latin1',
      input,
    });
    if (code === 0) return stdout;
    const why =
      code === null && stderr === '' ? 'it could not be started, or took too long' : lastLine(stderr).slice(0, 300);
    throw new KitError('KIT_USAGE', `--from: git ${argv[0] ?? ''} of ${url}${ref === null ? '' : `#${ref}`}: ${why}`, {
      hint: 'Look at the URL and the name behind #, and try `git ls-remote` with it. kit asks for no password: a credential helper or an SSH key answers. Nothing was written.',
    });
  };
  const contents = async (objects: readonly string[]): Promise<readonly Uint8Array[]> =>
    objects.length === 0
      ? []
      : contentsIn(await git(['cat-file', '--batch'], `${objects.join('\n')}\n`), objects.length);
  try {
    await git(['init', '--quiet', '--bare', '--template=']);
    await git(['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url, ref ?? 'HEAD']);
    const commit = (await git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).trim();
    const tree = Buffer.from(await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit]), 'latin1').toString(
      'utf8',
    );
    const listed = listedIn(tree);
    const links = listed.filter(({ kind, bytes }) => kind === 'link' && bytes <= MAX_LINK_BYTES);
    const targets = await contents(links.map(({ object }) => object));
    const targetOf = new Map(
      links.map(({ path }, index) => [path, Buffer.from(targets[index] ?? []).toString('utf8')]),
    );
    const objectOf = new Map(listed.map(({ path, object }) => [path, object]));
    return {
      origin: { kind: 'git', url, commit },
      entries: listed.map(({ path, kind, bytes }) => ({ path, kind, bytes, target: targetOf.get(path) ?? null })),
      read: async (paths) => {
        const found = await contents(paths.map((path) => objectOf.get(path) ?? ''));
        return new Map(paths.map((path, index) => [path, found[index] ?? new Uint8Array()]));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
