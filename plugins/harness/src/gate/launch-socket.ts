import { randomBytes, timingSafeEqual } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GATE_FOLDER } from '@kit-run/kit/plugin';

/** Longest first line that is taken: the inputs of calls may hold whole files. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Who connects, told by its first line. */
export interface SocketHandlers {
  /** The hook of a program, with what it was told: answered with one line. `gone`: it has ended. */
  readonly onEvent?: (event: string, gone: Promise<void>) => Promise<string>;
  /**
   * A program that calls kit's tools: the rest of the connection is MCP, a message a line. It is
   * paused.
   */
  readonly onTools?: (socket: Socket) => void;
  /** A program in a container that wants out: the rest is for kit's proxy. Paused, half open. */
  readonly onEgress?: (socket: Socket) => void;
}

/** Where kit listens to the program of one launch, open while it runs. */
export interface LaunchSocket {
  /** Holds whatever the launch writes for its program; nobody else may enter. */
  readonly folder: string;
  /** Names the socket and the token, for the script that comes to the socket. */
  readonly file: string;
  close(): Promise<void>;
}

/** Where the folder of a socket lies in a container. */
export const SOCKET_INSIDE = '/kit';

/** How the script of a socket is started, as its program sees it. */
export interface SocketEntry {
  readonly node: string;
  readonly script: string;
  /** Names the socket and the token. */
  readonly file: string;
  readonly folder: string;
}

/** The entry for a program of this machine. */
export const entryHere = ({ folder, file }: LaunchSocket, script: string): SocketEntry => ({
  ...{ node: process.execPath, script, file, folder },
});

/** The entry for a program in a container, where the folder of the socket lies at SOCKET_INSIDE. */
export async function entryInside({ folder, file }: LaunchSocket, script: string): Promise<SocketEntry> {
  await copyFile(script, join(folder, basename(script)));
  const inside = (path: string): string => `${SOCKET_INSIDE}/${basename(path)}`;
  return { node: 'node', script: inside(script), file: inside(file), folder: SOCKET_INSIDE };
}

/** What runs the command of a container with the way of its socket to hosts. */
export const behindSocket = ({ node, script, file }: SocketEntry): readonly string[] => [node, script, file, 'egress'];

/**
 * Opens the socket of one launch, in a private folder, and a token that nobody has but the
 * script of this launch. The script finds the socket beside the file, wherever the folder lies.
 */
export async function openLaunchSocket(handlers: SocketHandlers): Promise<LaunchSocket> {
  const folder = await mkdtemp(join(tmpdir(), GATE_FOLDER));
  const path = join(folder, 's');
  const token = randomBytes(32).toString('hex');
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Who goes away has told its program no already.
    socket.on('error', () => {});
    void firstLine(socket).then((line) => letIn(socket, { line, token, handlers }));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  const file = join(folder, 'hook.json');
  await writeFile(file, JSON.stringify({ socket: 's', token }), { mode: 0o600 });
  return {
    folder,
    file,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The first line of a connection; '' where there is none, or it is too long. The rest stays in it.
 */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const done = (line: string): void => {
      socket.off('data', onData);
      socket.pause();
      resolve(line);
    };
    const onData = (chunk: Buffer): void => {
      const end = chunk.indexOf(10);
      parts.push(end < 0 ? chunk : chunk.subarray(0, end));
      length += chunk.length;
      if (end >= 0) {
        done(Buffer.concat(parts).toString('utf8'));
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
      } else if (length > MAX_LINE_BYTES) done('');
    };
    socket.on('data', onData);
    socket.once('end', () => resolve(''));
    socket.once('close', () => resolve(''));
  });
}

const UNREADABLE = JSON.stringify({ decision: 'deny', reason: 'what the hook was told could not be read' });

interface Entering {
  readonly line: string;
  readonly token: string;
  readonly handlers: SocketHandlers;
}

async function letIn(socket: Socket, { line, token, handlers }: Entering): Promise<void> {
  const said = wordsIn(line);
  const isKnown = said !== null && typeof said.token === 'string' && isSame(said.token, token);
  if (isKnown && said.egress === true && handlers.onEgress !== undefined) return handlers.onEgress(socket);
  // Nobody else goes on to listen once they have said what they had to say.
  socket.once('end', () => socket.end());
  if (isKnown && said.tools === true && handlers.onTools !== undefined) return handlers.onTools(socket);
  const isAsking = isKnown && typeof said.event === 'string' && handlers.onEvent !== undefined;
  // What else it says is read and thrown away, so that its end is seen.
  socket.resume();
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answer = isAsking ? await handlers.onEvent(String(said.event), gone).catch(() => UNREADABLE) : UNREADABLE;
  socket.end(`${answer}\n`);
}

function wordsIn(
  line: string,
): { readonly token?: unknown; readonly event?: unknown; readonly tools?: unknown; readonly egress?: unknown } | null {
  try {
    return JSON.parse(line) as ReturnType<typeof wordsIn>;
  } catch {
    return null;
  }
}

function isSame(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
