import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A server that says something else in one place: the answers of the real one, with `from` replaced
 * by `to`, which is as long.
 */
export async function openRewritingProxy(target: string, { from, to }: { readonly from: string; readonly to: string }) {
  if (from.length !== to.length) throw new Error('what is put in is as long as what is taken out');
  const { hostname, port } = new URL(target);
  const server = createServer((socket) => {
    const far = connect(Number(port), hostname);
    socket.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(far);
    far.on('data', (bytes: Buffer) =>
      socket.write(Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port gives an address with one.
  const own = (server.address() as AddressInfo).port;
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(own) }).href,
    close: () => void server.close(),
  };
}
