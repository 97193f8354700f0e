import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { RunProgram } from '../../domain/ports/programs.js';
import type { OpenedSource } from '../../domain/ports/workspace-sources.js';
import { childEnv } from './run-plugin-plugins.js';

/** How fetching a package reaches the machine. */
export interface FetchParts {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly tempDir: string;
  readonly run: RunProgram;
  readonly openTarball: (file: string) => Promise<OpenedSource>;
}

const TIMEOUT_MS = 5 * 60_000;
/** npm waits more than a minute by itself before it says that nobody answers. */
const NO_LONG_WAIT = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000'];

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
}

/** The one package that `npm pack --json` names: in a list, or by its name. */
function packedIn(stdout: string): Packed | null {
  try {
    const value: unknown = JSON.parse(stdout);
    const [first] = Object.values(value ?? {}) as readonly Partial<Record<string, unknown>>[];
    const { name, version, filename } = first ?? {};
    return typeof name === 'string' && typeof version === 'string' && typeof filename === 'string'
      ? { name, version, filename }
      : null;
  } catch {
    return null;
  }
}

/**
 * One package of the registry that the user's npm asks. npm fetches the archive and compares it
 * with the registry's integrity; nothing is installed, no script runs, no dependency is fetched.
 */
export async function fetchPackage(spec: string, parts: FetchParts): Promise<OpenedSource> {
  const folder = await mkdtemp(join(parts.tempDir, 'kit-from-'));
  try {
    const { code, stdout, stderr } = await parts.run(
      ['npm', 'pack', '--json', '--ignore-scripts', `--pack-destination=${folder}`, ...NO_LONG_WAIT, '--', spec],
      { cwd: parts.cwd, env: childEnv(parts.env, folder), timeoutMs: TIMEOUT_MS },
    );
    const packed = code === 0 ? packedIn(stdout) : null;
    if (packed === null || !/^[^/\\]+\.tgz$/.test(packed.filename)) {
      const said = stdout + stderr;
      const why =
        code === null && said.trim() === ''
          ? 'npm is not on PATH, or took too long'
          : /E404|ETARGET|notarget/.test(said)
            ? 'the registry has no such package or version'
            : 'npm could not fetch it';
      throw new KitError('KIT_USAGE', `--from: ${spec}: ${why}`, {
        hint: `Look at the name, the network and the registry of npm: \`npm view ${spec} dist\`. Nothing was written.`,
      });
    }
    const opened = await parts.openTarball(join(folder, packed.filename));
    const integrity = opened.origin.kind === 'tarball' ? opened.origin.integrity : '';
    return { ...opened, origin: { kind: 'npm', name: packed.name, version: packed.version, integrity } };
  } finally {
    // The archive is in memory.
    await rm(folder, { recursive: true, force: true });
  }
}
