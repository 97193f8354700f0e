import { spawn } from 'node:child_process';
import { KitError } from '../domain/errors.js';
import { whichProgram } from './which-program.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The program that shows an address, and what stands before the address. */
function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}

/**
 * The address of a page that a provider wants shown. Throws KIT_LOGIN_FAILED for what is neither
 * https nor http at this machine.
 */
export function loginPage(text: string): URL {
  const url = URL.parse(text);
  const isGood = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url !== null && isGood && url.username === '' && url.password === '') return url;
  throw new KitError('KIT_LOGIN_FAILED', 'the address of the page is neither https nor at this machine');
}

/**
 * Shows a page in the browser of the person at this machine: the address is one word of argv, and
 * no shell sees it. False: there is no program that shows one.
 */
export async function openBrowser(
  { href, protocol }: URL,
  { env, platform }: { readonly env: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform },
): Promise<boolean> {
  // What else a desktop would open for an address starts programs.
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const [program, ...before] = openerOf(platform);
  const file = platform === 'win32' ? program : await whichProgram(program, env.PATH);
  if (file === null) return false;
  // Not `runProgram`, which waits: a browser goes on when kit is gone, and says nothing to it.
  const child = spawn(file, [...before, href], { env, detached: true, stdio: 'ignore', shell: false });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  child.unref();
  return promise;
}

const PATIENCE_MS = 2_000;

/** Who answers below an address: the health of a server of kit has a `status`. */
export async function whoAnswers(base: string): Promise<'kit' | 'other' | 'nobody'> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(`${base}/health`, { signal, redirect: 'manual' }).catch(() => null);
  if (answer === null) return 'nobody';
  const health: unknown = await answer.json().catch(() => null);
  return typeof health === 'object' && health !== null && 'status' in health ? 'kit' : 'other';
}
