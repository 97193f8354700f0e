import { fileURLToPath } from 'node:url';

/** The program that asks its proxy for hosts. */
export const ASKS = fileURLToPath(new URL('../plugins/harness/egress/asks-for-hosts.mjs', import.meta.url));

/** A server whose one tool asks for the hosts of its text, as a program of its own. */
export const ASKING_SERVER = `
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
const [asks, port, key] = process.argv.slice(2);
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    return say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } });
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  if (method === 'tools/list') return say(id, { tools: [{ name: 'reach', description: 'Reaches.', inputSchema }] });
  if (method !== 'tools/call') return say(id, {});
  const hosts = params.arguments.text.split(' ');
  const text = execFileSync(process.execPath, [asks, port, key, ...hosts], { encoding: 'utf8' });
  return say(id, { content: [{ type: 'text', text: JSON.parse(text).text }] });
});
`;
