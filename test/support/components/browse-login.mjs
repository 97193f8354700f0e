// A fetch in a browser's place: opens the address of a login, logs in and consents at the test's
// provider, and follows it back. `node browse-login.mjs URL [USER]`; with `--stop` it prints the
// address at which the browser would end, and does not open it.
const [url, user = 'alice'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isStopped = process.argv.includes('--stop');

/** Walks to the callback; answers its address. `decide`: `deny` cancels at the first page. */
export async function browse(start, { user: login = 'alice', decide = 'consent' } = {}) {
  const jar = new Map();
  const go = async (address, init = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  let at = new URL(start);
  let response = await go(at);
  for (let hops = 0; hops < 20; hops += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, at);
      if (next.origin !== at.origin || /\/(callback|signed-in)$/.test(next.pathname)) return next.href;
      at = next;
      response = await go(at);
      continue;
    }
    const page = await response.text();
    if (!at.pathname.startsWith('/interaction/'))
      throw new Error(`stuck at ${at.pathname}: ${response.status} ${page.slice(0, 300)}`);
    if (decide === 'deny') {
      response = await go(new URL(/href="([^"]+\/abort)"/.exec(page)?.[1] ?? '', at));
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? at.href;
    response = await go(new URL(action, at), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, login, password: 'x' }),
    });
  }
  throw new Error('the login does not end');
}

if (import.meta.filename === process.argv[1]) {
  const end = await browse(url, { user });
  if (isStopped) process.stdout.write(`${end}\n`);
  else process.exitCode = (await fetch(end)).ok ? 0 : 1;
}
