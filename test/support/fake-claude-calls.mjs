// Hooks and tools of the program that plays Claude Code.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs the PreToolUse hooks of the settings about a call; `none` where nothing is decided.
 */
export function runHook(call, { settings, session, transcript, mode, turn, cwd = process.cwd() }) {
  const hooks = (settings.hooks?.PreToolUse ?? []).flatMap((entry) => entry.hooks);
  if (hooks.length === 0 || call.fault === 'no-hook') return { decision: 'none' };
  const event = {
    session_id: session,
    transcript_path: transcript,
    cwd,
    ...(turn === undefined ? { prompt_id: 'p' } : { turn_id: turn, model: 'gpt-5.5' }),
    permission_mode: mode,
    hook_event_name: 'PreToolUse',
    tool_name: call.name,
    tool_input: call.input,
    tool_use_id: call.id,
    ...(call.agent === undefined ? {} : { agent_id: call.agent, agent_type: 'general-purpose' }),
  };
  for (const hook of hooks) {
    const ran = spawnSync('sh', ['-c', hook.command], {
      input: JSON.stringify(event),
      timeout: hook.timeout * 1000,
      encoding: 'utf8',
    });
    if (ran.status === 2) return { decision: 'deny', reason: ran.stderr };
    try {
      const { permissionDecision, permissionDecisionReason, updatedInput } = JSON.parse(ran.stdout).hookSpecificOutput;
      if (ran.status === 0)
        return { decision: permissionDecision, reason: permissionDecisionReason ?? '', input: updatedInput };
    } catch {
      // A hook that fails decides nothing, as with the real program.
    }
  }
  return { decision: 'none' };
}

/** Command lines of the MCP servers of a configuration, by name. */
export function serversOf(file) {
  if (file === undefined) return {};
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.fromEntries(Object.entries(mcpServers).map(([name, { command, args }]) => [name, [command, ...args]]));
}

/** The tool of a call that was put off has to be there when the session goes on. */
export function isGone(call, servers) {
  const server = /^mcp__([^_]+)__/.exec(call?.name ?? '')?.[1];
  return server !== undefined && servers[server] === undefined;
}

const USER = fileURLToPath(new URL('./fake-mcp-user.mjs', import.meta.url));

/** One request to a server, of a program that plays a harness. */
export function askServer(argv, ...request) {
  const ran = spawnSync(process.execPath, [USER, JSON.stringify(argv), ...request], { encoding: 'utf8' });
  if (ran.stdout === '') throw new Error(`the server did not answer: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

function makeOfServer({ name, input }, servers) {
  const [, server, tool] = /^mcp__([^_]+)__(.*)$/.exec(name) ?? [];
  if (servers[server] === undefined) return { content: `<tool_use_error>No such tool: ${name}`, error: true };
  const { content, isError, error } = askServer(servers[server], 'call', tool, JSON.stringify(input));
  return error === undefined
    ? { content: content.map(({ text }) => text ?? '').join(''), error: isError === true }
    : { content: error.message, error: true };
}

/** Carries a call out: what the model is told, and whether it went wrong. */
export function make(call, servers = {}) {
  const { name, input } = call;
  try {
    if (name.startsWith('mcp__')) return makeOfServer(call, servers);
    if (name === 'ToolSearch')
      return { content: JSON.stringify(askServer(servers.kit, 'list').tools.map((one) => one.name)), error: false };
    if (name === 'Bash')
      return {
        content: execFileSync('sh', ['-c', input.command], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        }).trim(),
        error: false,
      };
    if (name === 'Write') {
      mkdirSync(dirname(resolve(input.file_path)), { recursive: true });
      writeFileSync(resolve(input.file_path), input.content);
      return { content: `File created successfully at: ${input.file_path}`, error: false };
    }
    if (name === 'Read') return { content: readFileSync(resolve(input.file_path), 'utf8'), error: false };
    if (name === 'AskUserQuestion') {
      const said = Object.entries(input.answers ?? {}).map(([question, answer]) => `"${question}"="${answer}"`);
      return {
        content: `Your questions have been answered: ${said.join(', ')}. You can now continue with these answers in mind.`,
        error: false,
      };
    }
    return { content: `${name} done`, error: false };
  } catch (error) {
    return { content: `Exit code ${error.status ?? 1}\n${error.message}`, error: true };
  }
}
