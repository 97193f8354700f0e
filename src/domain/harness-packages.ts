/** npm packages that bring the programs of the bundled adapters, by program. */
const PACKAGES: Readonly<Record<string, string>> = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  copilot: '@github/copilot',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
  qwen: '@qwen-code/qwen-code',
};

/** The command that installs a coding program; null = kit does not know where it comes from. */
export const installLineOf = (program: string): string | null =>
  Object.hasOwn(PACKAGES, program) ? `npm install -g ${PACKAGES[program]}` : null;
