/* What a hostile page tries. It runs in the browser, from the page that a test has opened. */

const AT_ONCE = 12;
const ENCODINGS = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
const isReading = (method) => method === 'GET' || method === 'HEAD';
const isSimple = (method) => isReading(method) || method === 'POST';

/** Every way in which a script may ask for this. */
function fetchesOf({ method, body, isRouted }) {
  const sent = isReading(method) ? {} : { body };
  const typed = (type) => ({ method, ...sent, headers: { 'content-type': type } });
  const open = [
    { method },
    { method, credentials: 'include', headers: { 'x-own': '1' } },
    typed('application/json'),
    { ...typed('text/plain'), credentials: 'include' },
    { ...typed('application/x-www-form-urlencoded'), referrerPolicy: 'no-referrer' },
  ];
  const blind = [
    { ...typed('text/plain'), mode: 'no-cors' },
    { ...typed('text/plain'), mode: 'no-cors', credentials: 'include', referrerPolicy: 'no-referrer' },
    { method, ...sent, mode: 'no-cors', keepalive: true },
  ];
  const all = isSimple(method) ? [...open, ...blind] : open;
  return isRouted ? all : [typed('application/json'), ...(isSimple(method) ? blind.slice(0, 1) : [])];
}

/** What the page may read of the answer; null = nothing. */
async function fetched(base, request, shape) {
  const aborted = new AbortController();
  try {
    const answer = await fetch(base + request.path, { ...shape, cache: 'no-store', signal: aborted.signal });
    if (answer.type === 'opaque') return null;
    const text = request.method === 'GET' && answer.ok ? '' : await answer.text();
    return { how: `fetch ${request.method}`, path: request.path, status: answer.status, text };
  } catch {
    return null;
  } finally {
    aborted.abort();
  }
}

/** Elements that load an address: image, script, style; what shows that it was read. */
const ELEMENTS = [
  { tag: 'img', at: 'src', read: (element) => element.naturalWidth > 0 },
  { tag: 'script', at: 'src', read: (_element, event) => event === 'load' },
  { tag: 'link', at: 'href', more: { rel: 'stylesheet' }, read: (_element, event) => event === 'load' },
];

function loaded(base, { path }, { tag, at, more = {}, read }) {
  return new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), more);
    const end = ({ type }) => {
      resolve(read(element, type) ? { how: tag, path, status: 200, text: '' } : null);
      element.remove();
    };
    element.addEventListener('load', end);
    element.addEventListener('error', end);
    element[at] = base + path;
    document.head.append(element);
  });
}

function streamed(base, { path }) {
  return new Promise((resolve) => {
    const source = new EventSource(base + path, { withCredentials: true });
    const end = (found) => {
      source.close();
      resolve(found);
    };
    source.addEventListener('open', () => end({ how: 'EventSource', path, status: 200, text: '' }));
    source.addEventListener('error', () => end(null));
  });
}

function connected(base, { path }) {
  return new Promise((resolve) => {
    const socket = new WebSocket(base.replace('http', 'ws') + path);
    socket.addEventListener('open', () => resolve({ how: 'WebSocket', path, status: 101, text: '' }));
    socket.addEventListener('error', () => resolve(null));
  });
}

async function inTurns(tasks) {
  const found = [];
  const rest = [...tasks];
  const one = async () => {
    for (let task = rest.shift(); task !== undefined; task = rest.shift()) found.push(await task());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return found;
}

/** Asks for everything by script and by element. Gives what the page could read. */
globalThis.attack = async (base, requests) => {
  // One is enough: a browser makes those that fail wait for each other.
  const [stream] = requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/stream'));
  const tasks = [stream]
    .map((request) => () => connected(base, request))
    .concat(
      requests.flatMap((request) => [
        ...fetchesOf(request).map((shape) => () => fetched(base, request, shape)),
        ...(request.method === 'GET'
          ? [...ELEMENTS.map((kind) => () => loaded(base, request, kind)), () => streamed(base, request)]
          : []),
        ...(request.method === 'POST'
          ? [async () => navigator.sendBeacon(base + request.path, request.body) && null]
          : []),
      ]),
    );
  return { tried: tasks.length, read: (await inTurns(tasks)).filter((one) => one !== null) };
};

/** A form that asks for this is the same in each encoding where it has no body. */
const encodingsOf = ({ method, isRouted }) => {
  if (method === 'POST') return isRouted ? ENCODINGS : ENCODINGS.slice(-1);
  return method === 'GET' ? ENCODINGS.slice(0, 1) : [];
};

/** Sends each form into a frame of its own, without waiting for its answer. Gives their count. */
globalThis.submitForms = (base, requests) => {
  const forms = requests.flatMap((request) =>
    encodingsOf(request).map((enctype) => ({
      method: request.method,
      path: request.path,
      body: request.body,
      enctype,
    })),
  );
  for (const [index, { method, path, body, enctype }] of forms.entries()) {
    const frame = Object.assign(document.createElement('iframe'), { name: `frame-${index}` });
    const form = Object.assign(document.createElement('form'), { method, action: base + path, enctype });
    form.target = frame.name;
    // With text/plain, name=value is the body: JSON whose last text ends after the equals sign.
    const [name, value] = enctype === 'text/plain' ? [`${body.slice(0, -1)},"a":"`, '"}'] : ['input', 'x'];
    if (method === 'POST') form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(frame, form);
    form.submit();
  }
  return forms.length;
};

/** What the page could look at in its frames. */
globalThis.framesRead = () =>
  [...document.querySelectorAll('iframe')].flatMap((frame) => {
    const text = frame.contentDocument?.body?.textContent ?? '';
    return text === '' ? [] : [text];
  });
