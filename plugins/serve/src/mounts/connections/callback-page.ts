import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** How a login ended, for the person in front of the page and for the page that opened it. */
export type LoginEnd =
  | { readonly isDone: true; readonly credential: string; readonly owner: string }
  | { readonly isDone: false; readonly why: string };

const escaped = (text: string): string => text.replaceAll(/[&<>"'`=]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Tells the opener at our own origin and nobody else, and closes what was opened. */
const SCRIPT =
  "const{done,credential,owner,origin}=document.body.dataset;if(window.opener)window.opener.postMessage({type:'kit.login',done:done==='yes',credential,owner},origin);if(done==='yes')setTimeout(()=>window.close(),1500);";
const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;

const POLICY = `default-src 'none'; script-src '${SCRIPT_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Answers the browser; every text in it is escaped. */
export function sendEnd(reply: FastifyReply, end: LoginEnd, base: string): FastifyReply {
  const title = end.isDone ? 'Logged in' : 'The login failed';
  const text = end.isDone
    ? `The credential ${end.credential} of ${end.owner} has a token now. You can close this page.`
    : end.why;
  const facts = end.isDone ? { done: 'yes', credential: end.credential, owner: end.owner } : { done: 'no' };
  const data = Object.entries({ ...facts, origin: new URL(base).origin })
    .map(([name, value]) => ` data-${name}="${escaped(value)}"`)
    .join('');
  return reply
    .code(end.isDone ? 200 : 400)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body${data}><h1>${title}</h1><p>${escaped(text)}</p><script>${SCRIPT}</script></body></html>\n`,
    );
}
