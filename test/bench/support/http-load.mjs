import { connect } from 'node:net';

/**
 * A connection that asks one request after another, `depth` under way, and reads answers by their
 * Content-Length.
 */
function worker({ host, port, request, depth, isOver, onAnswer }) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    let pending = Buffer.alloc(0);
    let underWay = 0;
    const ask = () => {
      while (underWay < depth && !isOver()) {
        underWay += 1;
        socket.write(request());
      }
      if (underWay === 0) socket.end();
    };
    socket.on('connect', ask);
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (;;) {
        const head = pending.indexOf('\r\n\r\n');
        if (head < 0) break;
        const headers = pending.toString('latin1', 0, head);
        const end = head + 4 + Number(/content-length: (\d+)/i.exec(headers)[1]);
        if (pending.length < end) break;
        onAnswer(Number(headers.slice(9, 12)), pending.subarray(head + 4, end));
        pending = pending.subarray(end);
        underWay -= 1;
      }
      ask();
    });
    socket.on('close', resolve);
    socket.on('error', reject);
  });
}

/** Answers a second, asked over some connections for a time; any status but 200 is an error. */
export async function load(url, { request, forMs, connections = 16, depth = 1, onBody = () => {} }) {
  const { hostname, port } = new URL(url);
  const startedMs = performance.now();
  let answers = 0;
  const isOver = () => performance.now() - startedMs >= forMs;
  const onAnswer = (status, body) => {
    if (status !== 200) throw new Error(`status ${status}: ${body}`);
    answers += 1;
    onBody(body);
  };
  await Promise.all(
    Array.from({ length: connections }, () =>
      worker({ host: hostname, port: Number(port), request, depth, isOver, onAnswer }),
    ),
  );
  return (answers * 1000) / (performance.now() - startedMs);
}

export const get = (path, token) => () =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\n${token === undefined ? '' : `Authorization: ${token}\r\n`}\r\n`;

export const post = (path, token, body) => {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return () => `${head}${text}`;
};
