// The client of the conformance suite on authorisation: `node login-client.mjs PORT URL`. Hands the
// scenario to the driver in the process of the test, and says how it ended.
const [, , port, endpoint] = process.argv;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '';
const protocol = version >= '2026' ? version : null;
const answer = await fetch(`http://127.0.0.1:${port}`, {
  method: 'POST',
  body: JSON.stringify({ endpoint, protocol, context }),
});
process.stderr.write(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
