import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { serveClient } from '../../../../plugins/protocols/src/mcp/stdio/serve-client.js';
import type { StdioUses } from '../../../../plugins/protocols/src/mcp/stdio/stdio-door.js';

const MIB = 1024 * 1024;

it('ends the connection of a client whose message is larger than one may be, and says so', async () => {
  const stdin = new PassThrough({ highWaterMark: 80 * MIB });
  const lines: string[] = [];
  const offered = {
    id: 'w',
    name: 'W',
    topologies: [],
    maxConcurrent: 1,
    server: { mcp: { waitMs: 1 }, publicUrl: null },
  };
  const served = await serveClient({
    // Of the use cases only the list of what is offered is asked.
    app: { info: { offered: async () => offered } } as unknown as StdioUses,
    workspaces: ['/w'],
    globs: [],
    identity: 'dana',
    version: '0.0.0',
    stdin,
    stdout: new PassThrough(),
    printLine: (line) => lines.push(line),
  });

  for (let sent = 0; sent < 66; sent += 1) stdin.write(Buffer.alloc(MIB, 'a'));
  await served.ended;

  expect(lines).toEqual(['a message of the client is larger than the 64 MiB that one may have: the connection ends']);
  await served.stop();
});
