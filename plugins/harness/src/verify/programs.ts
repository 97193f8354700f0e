import type { JsonObject } from '@kit-run/kit/plugin';

/** How a program is pointed at another model server, and what its tools are called. */
export interface VerifiedProgram {
  /** As it is found on PATH. */
  readonly command: string;
  /** It asks kit before its calls. */
  readonly hasGate: boolean;
  /** Files of a private home, by path, for a server on this port. */
  readonly home: (port: number) => Readonly<Record<string, string>>;
  /** Variables of kit itself: keys of the mode `api_key`. None of them is a real one. */
  readonly env: Readonly<Record<string, string>>;
  /** `executor.config` of every case. */
  readonly config: JsonObject;
  /** Keys of `executor.config` that let it do everything, where it has no gate. */
  readonly open: JsonObject;
  readonly execute: (command: string) => JsonObject;
  readonly write: (path: string, content: string) => JsonObject;
}

const KEY = 'not-a-real-key';

const opencode = {
  command: 'opencode',
  hasGate: false,
  home: (port: number) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: KEY },
          models: { scripted: { name: 'scripted', tool_call: true, limit: { context: 100_000, output: 8000 } } },
        },
      },
    }),
    '.local/share/opencode/.keep': '',
  }),
  env: {},
  config: {},
  open: {},
  execute: (command: string): JsonObject => ({ call: 'bash', input: { command, description: 'verify' } }),
  write: (filePath: string, content: string): JsonObject => ({ call: 'write', input: { filePath, content } }),
} satisfies VerifiedProgram;

const gemini = {
  command: 'gemini',
  hasGate: false,
  home: (port: number) => ({
    '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    '.gemini/.env': `GEMINI_API_KEY=${KEY}\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:${port}\n`,
  }),
  env: {},
  config: { model: 'gemini-2.5-flash' },
  open: { approval_mode: 'yolo' },
  execute: (command: string): JsonObject => ({ call: 'run_shell_command', input: { command, description: 'verify' } }),
  write: (file_path: string, content: string): JsonObject => ({ call: 'write_file', input: { file_path, content } }),
} satisfies VerifiedProgram;

/** By the id of the adapter. Of the others kit does not know how to point them elsewhere. */
export const PROGRAMS: Readonly<Record<string, VerifiedProgram>> = {
  'claude-code': {
    command: 'claude',
    hasGate: true,
    home: (port) => ({
      '.claude/settings.json': JSON.stringify({ env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` } }),
    }),
    env: { ANTHROPIC_API_KEY: KEY },
    config: { auth_mode: 'api_key' },
    open: {},
    execute: (command) => ({ call: 'Bash', input: { command, description: 'verify' } }),
    write: (file_path, content) => ({ call: 'Write', input: { file_path, content } }),
  },
  opencode,
  'opencode-acp': { ...opencode, hasGate: true },
  'gemini-cli': gemini,
  'gemini-acp': gemini,
  qwen: {
    command: 'qwen',
    hasGate: true,
    home: (port) => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: 'scripted' },
      }),
    }),
    env: { OPENAI_API_KEY: KEY },
    config: { auth_mode: 'api_key' },
    open: {},
    execute: (command) => ({
      call: 'run_shell_command',
      input: { command, description: 'verify', is_background: false },
    }),
    write: (file_path, content) => ({ call: 'write_file', input: { file_path, content } }),
  },
};
