// A receiver of OpenTelemetry data (OTLP over HTTP, protobuf and JSON) on a free port, for tests
// and for people: prints its address, then one line of JSON for each request that it could decode,
// and ends with Ctrl-C. With `--with-parent` it ends when its stdin does, and answers a request
// once a line there says that its own was read. `POST /behave` with `{ "status": 503 }`,
// `{ "hang": true }` or `{}` says how it answers from then on.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// Messages generated from the published definitions: the decoder knows nothing of what kit sends.
const require = createRequire(import.meta.url);
const { opentelemetry } = require('@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js');
const { trace, metrics } = opentelemetry.proto.collector;
const REQUESTS = {
  '/v1/traces': {
    signal: 'traces',
    type: trace.v1.ExportTraceServiceRequest,
    response: trace.v1.ExportTraceServiceResponse,
  },
  '/v1/metrics': {
    signal: 'metrics',
    type: metrics.v1.ExportMetricsServiceRequest,
    response: metrics.v1.ExportMetricsServiceResponse,
  },
};
const IDS = new Set(['traceId', 'spanId', 'parentSpanId']);

/** In JSON, ids are hex digits where protobuf's own JSON has base64 (OTLP/HTTP). */
const withBytes = (value) => {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      IDS.has(name) && typeof member === 'string' ? Buffer.from(member, 'hex') : withBytes(member),
    ]),
  );
};

const withHex = (value) => {
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(withHex);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withHex(member)]));
};

/** Throws for what is not a message of this type. */
function decode(type, contentType, bytes) {
  const isJson = contentType.startsWith('application/json');
  if (!isJson && !contentType.startsWith('application/x-protobuf'))
    throw new Error(`unknown content type ${contentType}`);
  const message = isJson ? type.fromObject(withBytes(JSON.parse(bytes.toString('utf8')))) : type.decode(bytes);
  const wrong = type.verify(message);
  if (wrong !== null) throw new Error(wrong);
  return withHex(type.toObject(message, { longs: String, enums: Number, arrays: true }));
}

const bodyOf = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

let behaviour = {};
const hasParent = process.argv.includes('--with-parent');
const unread = [];
/** Resolves when the parent has read it: who is answered finds what it sent. */
const print = (line) =>
  new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
    if (hasParent) unread.push(resolve);
    else resolve();
  });

async function take(request, response) {
  const bytes = await bodyOf(request);
  if (request.url === '/behave') {
    behaviour = JSON.parse(bytes.toString('utf8'));
    return void response.writeHead(204).end();
  }
  const known = REQUESTS[request.url];
  if (known === undefined || request.method !== 'POST') return void response.writeHead(404).end();
  const contentType = request.headers['content-type'] ?? '';
  const line = { signal: known.signal, contentType, headers: request.headers, base64: bytes.toString('base64') };
  try {
    await print({ ...line, body: decode(known.type, contentType, bytes) });
  } catch (error) {
    await print({ ...line, error: String(error) });
    return void response.writeHead(400).end();
  }
  if (behaviour.hang) return;
  const status = behaviour.status ?? 200;
  if (contentType.startsWith('application/json'))
    return void response.writeHead(status, { 'content-type': contentType }).end('{}');
  response.writeHead(status, { 'content-type': contentType }).end(Buffer.from(known.response.encode({}).finish()));
}

const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
const stop = () => {
  server.closeAllConnections();
  server.close(() => process.exit(0));
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
if (hasParent)
  createInterface({ input: process.stdin.on('error', stop) })
    .on('line', () => unread.shift()?.())
    .on('close', stop);
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
