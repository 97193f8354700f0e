// Starts a local server that speaks the wire format of a model provider, for a person who wants to
// look:
//   node test/support/components/provider-server.mjs anthropic [port]
// It prints the address for `base_url` and every request; a request that breaks the format gets
// status 400 with what is wrong.
import '../processes-typescript.mjs';

const { PROTOCOLS } = await import('./provider-servers/protocols.ts');
const { startProviderServer } = await import('./provider-servers/server.ts');

const [name = '', port = '0'] = process.argv.slice(2);
const protocol = PROTOCOLS.find((one) => one.name === name);
if (protocol === undefined || !/^\d{1,5}$/.test(port)) {
  process.stderr.write(`usage: provider-server.mjs <${PROTOCOLS.map((one) => one.name).join('|')}> [port]\n`);
  process.exit(2);
}
const server = await startProviderServer(
  protocol,
  ({ method, path, body }) => {
    process.stdout.write(`${method} ${path} ${JSON.stringify(body)}\n`);
    return { do: 'answer', text: `the ${protocol.name} server was asked ${server.requests.length} times` };
  },
  Number(port),
);
process.stdout.write(`base_url: ${server.url}\n`);
