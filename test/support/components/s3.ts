import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An S3 service for one test file. */
export interface TestS3 {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly bucket: string;
  readonly keyId: string;
  readonly secret: string;
  /** Where the service keeps its objects: `<directory>/<bucket>/<key>._S3rver_object`. */
  readonly directory: string;
  close(): Promise<void>;
}

export async function startS3(): Promise<TestS3> {
  const program = fileURLToPath(new URL('./s3.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === 4) break;
  const [endpoint = '', bucketLine = '', keyLine = '', placeLine = ''] = lines;
  const [, keyId = '', secret = ''] = /^AWS_ACCESS_KEY_ID=(\S+) AWS_SECRET_ACCESS_KEY=(\S+)$/.exec(keyLine) ?? [];
  if (secret === '') throw new Error('the S3 service did not start');
  return {
    endpoint,
    bucket: bucketLine.replace('bucket: ', ''),
    keyId,
    secret,
    directory: placeLine.replace('objects lie in ', ''),
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * A wire to the service that can be cut: it passes so many bytes of a connection on, and then
 * destroys both of its ends.
 */
export interface CutWire {
  readonly endpoint: string;
  /** Bytes of each connection that get through towards the service; Infinity = all. */
  allow(bytes: number): void;
  /** Connections that were cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

export async function openCutWire(endpoint: string): Promise<CutWire> {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let allowed = Number.POSITIVE_INFINITY;
  let cuts = 0;
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    let left = allowed;
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const cut = (): void => {
      cuts += 1;
      client.destroy();
      service.destroy();
    };
    client.on('data', (chunk) => {
      const passed = chunk.subarray(0, left);
      left -= passed.length;
      if (left > 0) service.write(passed);
      else service.write(passed, cut);
    });
    service.on('data', (chunk) => client.write(chunk));
    client.on('end', () => service.end());
    service.on('end', () => client.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // listening on a port gives an address with one
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    allow: (bytes) => {
      allowed = bytes;
    },
    get cuts() {
      return cuts;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
