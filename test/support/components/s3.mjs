// An S3 service of one's own, in a private directory on a free port, for tests and for people:
// prints its address, a bucket and a key, and ends with Ctrl-C, removing everything. With
// `--with-parent` it ends when its stdin does.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// Old dependencies of the server name things that Node deprecates; nobody here can fix them.
process.noDeprecation = true;
const require = createRequire(import.meta.url);
const S3rver = require('s3rver');
const { DUMMY_ACCOUNT } = require('s3rver/lib/models/account');

const BUCKET = 'results';
const KEY_ID = 'KITTESTKEYID';
const SECRET = 'kit-test-only-secret-of-the-bucket';
const directory = mkdtempSync(join(tmpdir(), 'kit-s3-'));

const hex = (text) => createHash('sha256').update(text).digest('hex');
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();

/**
 * The signature that a request should bear: the server itself does not compute this version of it.
 */
function signatureOf(request, { scope, signedHeaders }) {
  const [date, region, service, end] = scope.split('/');
  const [path, query = ''] = request.url.split('?');
  const headers = signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const sorted = query.split('&').sort().join('&');
  const canonical = [
    request.method,
    path,
    sorted,
    headers,
    signedHeaders.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hex(canonical)].join('\n');
  const key = [date, region, service, end].reduce((made, part) => hmac(made, part), `AWS4${SECRET}`);
  return hmac(key, toSign).toString('hex');
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

function isSigned(request) {
  const [, id, scope, signed, signature] = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
  if (signature === undefined) return false;
  if (id !== KEY_ID) return true; // the server says itself that it does not know the key
  return timingSafeEqual(
    Buffer.from(signatureOf(request, { scope, signedHeaders: signed.split(';') })),
    Buffer.from(signature),
  );
}

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  vhostBuckets: false,
  configureBuckets: [{ name: BUCKET }],
});
DUMMY_ACCOUNT.createKeyPair(KEY_ID, SECRET);
DUMMY_ACCOUNT.revokeAccessKey('S3RVER');
server.middleware.unshift(async (context, next) => {
  if (isSigned(context.req)) return next();
  context.status = 403;
  context.type = 'application/xml';
  context.body =
    '<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Message>The signature does not fit.</Message></Error>';
});
// The server answers before the last bytes are in the file; S3 lets whoever has been answered read
// what was put.
const { store } = server;
const putObject = store.putObject.bind(store);
store.putObject = async (object) => {
  const put = await putObject(object);
  const path = store.getResourcePath(object.bucket, object.key, 'object');
  while ((await stat(path)).size !== put.size) await sleep(1);
  return put;
};
const { port } = await server.run();

let isStopping = false;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  server.httpServer.closeAllConnections();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}
// What fails ends the process: nothing catches it.
const onEnd = () => void stop();
process.on('SIGINT', onEnd).on('SIGTERM', onEnd).on('SIGHUP', onEnd);
if (process.argv.includes('--with-parent')) process.stdin.resume().on('end', onEnd).on('error', onEnd);
process.stdout.write(
  `http://127.0.0.1:${port}\nbucket: ${BUCKET}\nAWS_ACCESS_KEY_ID=${KEY_ID} AWS_SECRET_ACCESS_KEY=${SECRET}\nobjects lie in ${directory}\n`,
);
