import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDatabase, type TestDatabase } from '../components/postgres.js';
import type { CrashStoreName } from '../crash-database.js';
import type { CrashPoint } from '../crash-plan.js';
import { compileCache } from '../folded-program.mjs';
import { writeFiles } from '../http/serve-scene.js';

const PROGRAM = fileURLToPath(new URL('kit-process.mjs', import.meta.url));
/** Longer than any lease of a server. */
const LEASES_MS = 180_000;

export interface KitOptions {
  readonly store: CrashStoreName;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** 0: any, and the same from then on. */
  readonly port: number;
  /** Sent with each request. */
  readonly token: string | null;
}

/** A kit with a workspace and a store of its own, whose process may die at any time. */
export class CrashKit {
  readonly #options: KitOptions;
  readonly #base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-two-')));
  readonly #database: TestDatabase | null;
  #process: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #port: number;
  #said = '';
  /** Processes that have ended by a signal. */
  deaths = 0;

  private constructor(options: KitOptions, database: TestDatabase | null) {
    this.#options = options;
    this.#database = database;
    this.#port = options.port;
    const storage = database === null ? '' : 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';
    mkdirSync(join(this.#base, 'home'));
    const files = Object.entries(options.files).map(([path, text]) => [
      join('workspace', path),
      path === 'workspace.yaml' ? `${text}${storage}` : text,
    ]);
    writeFiles(this.#base, Object.fromEntries(files));
  }

  static async make(options: KitOptions): Promise<CrashKit> {
    return new CrashKit(options, options.store === 'SQLite' ? null : await createDatabase());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isUp(): boolean {
    return this.#process !== null;
  }

  get said(): string {
    return this.#said;
  }

  /** False: it died before it listened. */
  async start(dieAt: CrashPoint | null = null): Promise<boolean> {
    const { env } = this.#options;
    const hits = join(this.#base, 'hits');
    const plan = { workspace: join(this.#base, 'workspace'), port: this.#port, hits, dieAt };
    const home = join(this.#base, 'home');
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, JSON.stringify(plan)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...{ PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
        ...compileCache(),
        ...(this.#database === null ? {} : { RUNS_URL: this.#database.url }),
        ...env,
      },
    });
    this.#process = child;
    child.stdin.on('error', () => undefined); // it has gone
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    this.#ended = once(child, 'close').then(([code, signal]) => {
      this.#process = null;
      if (signal === null) throw new Error(`a kit ended with ${code}: ${this.#said}`);
      this.deaths += 1;
    });
    this.#ended.catch(() => undefined); // whoever waits for it is told
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith('listening ')) {
        this.#port = Number(new URL(line.slice('listening '.length)).port);
        return true;
      }
    await this.#ended;
    return false;
  }

  /** After a death: nothing of the process is under way in the store, and its leases are over. */
  async bury(): Promise<void> {
    await this.#ended;
    await this.#database?.deserted();
    await this.#database?.elapse(LEASES_MS);
  }

  /** Every fault point that its last process hit, in order. */
  hits(): readonly CrashPoint[] {
    const file = join(this.#base, 'hits');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    const [last] = lines.at(-1)?.split(' ') ?? [];
    return lines.flatMap((line) => {
      const [pid, name = '', nth] = line.split(' ');
      return pid === last ? [{ name, nth: Number(nth) }] : [];
    });
  }

  /** Null: nobody answered. */
  async ask<T>(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T | null> {
    const { token } = this.#options;
    try {
      const answer = await fetch(`${this.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });
      const value = (await answer.json()) as T;
      if (answer.ok || answer.status === 409 || answer.status === 503) return answer.ok ? value : null;
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(value)}`);
    } catch (error) {
      if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return null;
      throw error;
    }
  }

  async dispose(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#ended.catch(() => undefined);
    await this.#database?.drop();
    rmSync(this.#base, { recursive: true, force: true });
  }
}
