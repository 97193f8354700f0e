import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../../support/kit-process.js';
import { afterwards } from './world.js';

export const serverProgram = (name: string): string =>
  join(projectRoot, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');

/** The server prints the port that it was told, which is 0: this prints the one that it got. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  const listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function (...args) {
    this.once('listening', () => console.error('listens on ' + this.address().port));
    return listen.apply(this, args);
  };
`)}`;

/** The server `everything` over HTTP on a free port; ended after the test. */
export async function everythingOverHttp(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const child = spawn(process.execPath, ['--import', TELL_PORT, serverProgram('everything'), transport], {
    env: { PATH: process.env.PATH ?? '', PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  afterwards(() => {
    child.kill('SIGKILL');
    return gone;
  });
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /^listens on (\d+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
}
