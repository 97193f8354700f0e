/** What a page must never load or follow: it stands in every address of the corpus. */
export const LURE = 'hostile-load';

/**
 * Texts that would run, load or lead away, were they taken for anything but text. Each sets
 * `hacked`, or asks for an address with LURE.
 */
export const CORPUS: readonly string[] = [
  '<script>globalThis.hacked=1</script>',
  `<img src=/${LURE} onerror=globalThis.hacked=2>`,
  '"><svg onload=globalThis.hacked=3>',
  "' onmouseover='globalThis.hacked=4' autofocus onfocus='globalThis.hacked=4",
  `[m](javascript:globalThis.hacked=5) ![m](http://203.0.113.9/${LURE}.png) <http://203.0.113.9/plain>`,
  '[m]: <JaVaScRiPt:globalThis.hacked=5> "t"\n\n[m]',
  'javascript:globalThis.hacked=6',
  '<a href="data:text/html,<script>globalThis.hacked=7</script>">m</a>',
  '{{constructor.constructor("globalThis.hacked=8")()}} ${globalThis.hacked=8}',
  '<iframe srcdoc="<script>parent.hacked=9</script>"></iframe>',
  `<style>@import "http://203.0.113.9/${LURE}.css"; * { background: url(/${LURE}) }</style>`,
  `<base href="http://203.0.113.9/"><meta http-equiv=refresh content="0;url=/${LURE}">`,
  `<link rel=stylesheet href=/${LURE}><object data=/${LURE}></object><embed src=/${LURE}>`,
  '<form action=javascript:globalThis.hacked=10><button formaction=javascript:globalThis.hacked=10>m</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=globalThis.hacked=11&gt;">',
  '</textarea></title></pre><script>globalThis.hacked=12</script>',
  `<svg xmlns="http://www.w3.org/2000/svg"><script>globalThis.hacked=13</script><image href="/${LURE}"/></svg>`,
  '<details open ontoggle=globalThis.hacked=14><video><source onerror=globalThis.hacked=14></video></details>',
  '--- a/x\n+++ b/<img src=x onerror=globalThis.hacked=15>\n@@ -1 +1 @@\n-<b>\n+<script>globalThis.hacked=15</script>',
  '\u202egnp.exe\u202c \u001b[31m',
];

/** All of it as one text. */
export const HOSTILE = CORPUS.join('\n\n');

/** One line that is taken for a name. */
export const HOSTILE_NAME = `"><img src=/${LURE} onerror="globalThis.hacked=16">`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By these a page tells what it shows: another value is another page, and no hostile text. */
const TELLS = /^(status|kind|mode|scopes|severity|at|updated|timestamp|.*_at|media_type|sha256|trend|op)$/;
/** By these a page asks for more: they are the server's own. */
const NAMES = /^(id|.*_id|name|ref|gates?|waiting_on|line|parent|activation|item|role|type|topology|targets|required)$/;

/** An answer of the API with hostile text behind every string that others write. */
export function poisoned(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (TELLS.test(key) || NAMES.test(key)) return value;
    return `${value} ${HOSTILE} \u0000\ud800`;
  }
  if (Array.isArray(value)) return value.map((one) => poisoned(one, key));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one, name)]));
}
