/**
 * What runs in a container and wants out: asks its proxy for each host that it is named, speaks TLS
 * with those it reaches, and prints what became of each. Beside it, it tries a port without the
 * proxy.
 */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

const [direct, key, ...hosts] = process.argv.slice(2);
const proxy = new URL(process.env.HTTPS_PROXY);

const asked = (host) =>
  new Promise((resolve) => {
    const socket = connect(Number(proxy.port), proxy.hostname, () =>
      socket.write(`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
    );
    socket.once('error', (error) => resolve(error.message));
    socket.once('data', (bytes) => {
      const status = bytes.toString().slice(9, 12);
      if (status !== '200') return resolve(status);
      const tls = connectTls({
        socket,
        servername: host.split(':')[0],
        ciphers: 'PSK',
        pskCallback: () => ({ psk: Buffer.from(key, 'hex'), identity: 'test' }),
        checkServerIdentity: () => undefined,
      });
      tls.once('secureConnect', () => tls.write('hello'));
      tls.once('data', (answer) => resolve(answer.toString()));
      tls.once('error', (error) => resolve(error.message));
    });
  });

const reached = (port) =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
  });

const answers = [];
for (const host of hosts) answers.push(await asked(host));
const text = JSON.stringify({ answers, direct: await reached(direct) });
process.stdout.write(`${JSON.stringify({ type: 'end', text })}\n`, () => process.exit(0));
