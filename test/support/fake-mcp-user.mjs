// Starts the MCP server that a harness was told of, as a harness does: the handshake, then one
// request. Prints its result as one line of JSON.
//   node fake-mcp-user.mjs '["command", "arg"]' list
//   node fake-mcp-user.mjs '["command", "arg"]' call NAME '{"input": "x"}'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [, , argv, what, name, input] = process.argv;
const [command, ...args] = JSON.parse(argv);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const finish = (result) => {
  console.log(JSON.stringify(result));
  server.stdin.end();
};
server.on('exit', () => process.exit(0));
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result, error } = JSON.parse(line);
  if (id === 1) {
    send({ method: 'notifications/initialized' });
    send({
      id: 2,
      method: what === 'list' ? 'tools/list' : 'tools/call',
      params: what === 'list' ? {} : { name, arguments: JSON.parse(input), _meta: { progressToken: 2 } },
    });
  } else if (id === 2) finish(error === undefined ? result : { error });
});
send({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fake', version: '1' } },
});
