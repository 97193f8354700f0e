// Starts a local server that speaks the wire format of a model provider, for a person who wants to
// look:
//   node test/support/components/provider-server.mjs FAMILY [--personality window:32000]... [port]
// It prints the address for `base_url` and every request; a request that breaks the format gets
// status 400 with what is wrong. A personality says how it is beyond that; several may be given.
import '../processes-typescript.mjs';
import { parseArgs } from 'node:util';

const { PROTOCOLS } = await import('./provider-servers/protocols.ts');
const { PERSONALITIES, personalityNamed } = await import('./provider-servers/personalities.ts');
const { startProviderServer } = await import('./provider-servers/server.ts');

const asked = read();
const protocol = PROTOCOLS.find((one) => one.name === asked?.positionals[0]);
const port = asked?.positionals[1] ?? '0';
const personalities = (asked?.values.personality ?? []).map(personalityNamed);
if (protocol === undefined || !/^\d{1,5}$/.test(port) || personalities.includes(null)) {
  process.stderr.write(
    `usage: provider-server.mjs <${PROTOCOLS.map((one) => one.name).join('|')}> [--personality NAME[:N]]... [port]\n` +
      PERSONALITIES.map((line) => `  ${line}\n`).join(''),
  );
  process.exit(2);
}
const server = await startProviderServer(
  protocol,
  ({ method, path, body }) => {
    process.stdout.write(`${method} ${path} ${JSON.stringify(body)}\n`);
    return { do: 'answer', text: `the ${protocol.name} server was asked ${server.requests.length} times` };
  },
  { port: Number(port), personalities },
);
process.stdout.write(`base_url: ${server.url}\n`);

/** undefined: an option that there is not. */
function read() {
  try {
    return parseArgs({ allowPositionals: true, options: { personality: { type: 'string', multiple: true } } });
  } catch {
    return undefined;
  }
}
