// Installs pinned versions of the coding harnesses into a cache outside the project, and drives
// each with `kit adapters verify`: no key, no login, no network but the loopback once they are
// there. Not a part of `npm test`; needs npm, some GB of disk and minutes.
//   npm run harnesses                 all of them
//   npm run harnesses -- claude-code  some of them
// KIT_HARNESS_CACHE: the folder; default $XDG_CACHE_HOME/kit-harnesses.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PINNED = {
  '@anthropic-ai/claude-code': { version: '2.1.332', adapters: ['claude-code'] },
  '@openai/codex': { version: '0.169.0', adapters: ['codex'] },
  'opencode-ai': { version: '1.18.33', adapters: ['opencode', 'opencode-acp'] },
  '@google/gemini-cli': { version: '0.61.0', adapters: ['gemini-cli', 'gemini-acp'] },
  '@qwen-code/qwen-code': { version: '0.15.10', adapters: ['qwen'] },
  '@github/copilot': { version: '1.0.102', adapters: ['copilot'] },
};

const cache =
  process.env.KIT_HARNESS_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kit-harnesses');
const kit = fileURLToPath(new URL('../bin/kit.js', import.meta.url));
const wanted = process.argv.slice(2);
const run = (program, args, options = {}) => spawnSync(program, args, { stdio: 'inherit', ...options }).status ?? 1;

let failed = 0;
for (const [name, { version, adapters }] of Object.entries(PINNED)) {
  const some = adapters.filter((id) => wanted.length === 0 || wanted.includes(id));
  if (some.length === 0) continue;
  const folder = join(cache, `${name.replaceAll('/', '+')}@${version}`);
  const bin = join(folder, 'node_modules', '.bin');
  if (!existsSync(bin)) {
    mkdirSync(folder, { recursive: true });
    const flags = ['--no-audit', '--no-fund', '--no-save', '--prefix', folder];
    if (run('npm', ['install', ...flags, `${name}@${version}`]) !== 0) {
      console.error(`${name}@${version} could not be installed`);
      failed += 1;
      continue;
    }
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  for (const id of some) if (run(process.execPath, [kit, 'adapters', 'verify', id], { env }) !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
