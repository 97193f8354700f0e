import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const SECONDS = 600;
/** Below it lie the callback, and nothing that anybody else answers. */
const PATH = '/auth/mcp';
const VALUE = /^[\w-]{43}$/;

/** What a browser brings along to the callback of its own login. */
export const newBinding = (): string => randomBytes(32).toString('base64url');

/** Each login has a cookie of its own; the state is not to be read from its name. */
const nameOf = (state: string): string =>
  `kit_login_${createHash('sha256').update(`cookie ${state}`).digest('hex').slice(0, 16)}`;

const cookie = (name: string, value: string, maxAgeS: number, isSecure: boolean): string =>
  `${name}=${value}; Path=${PATH}; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** `base`: the address by which the browser knows this server. */
export function setBinding(
  reply: FastifyReply,
  of: { readonly state: string; readonly binding: string; readonly base: string },
): void {
  reply.header('set-cookie', cookie(nameOf(of.state), of.binding, SECONDS, of.base.startsWith('https:')));
}

export function clearBinding(reply: FastifyReply, of: { readonly state: string; readonly base: string }): void {
  reply.header('set-cookie', cookie(nameOf(of.state), '', 0, of.base.startsWith('https:')));
}

/** Null: this browser began no login of that state. */
export function bindingOf(header: string | undefined, state: string): string | null {
  const name = nameOf(state);
  for (const pair of (header ?? '').slice(0, 16_384).split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name) return VALUE.test(value) ? value : null;
  }
  return null;
}
