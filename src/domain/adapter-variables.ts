/**
 * Variables that a launch template of an adapter may name as `{name}`, besides `config.<key>`
 * (docs/design/workspace.md#adapter-variables). `kit validate` refuses any other; an executor that
 * is driven by adapters fills these.
 */
export const ADAPTER_VARIABLES: readonly string[] = [
  'task.statement',
  'task.user_message',
  'task.base_ref',
  'task.mcp_config',
  'task.mcp_command',
  'task.mcp_args',
  'task.mcp_argv',
  'task.mcp_tools',
  'sandbox.root',
  'budget.max_turns',
  'budget.max_cost_usd',
  'budget.max_wall_clock_minutes',
  'resume.token',
  'gate.settings',
  'gate.hook',
  'credential.model_provider',
];

/** Variables of `launch.mcp_tool_name` alone. */
export const TOOL_NAME_VARIABLES: readonly string[] = ['tool', 'gateway'];

/** Variables of `launch.mcp_file` alone. */
export const TOOL_FILE_VARIABLES: readonly string[] = ['gateway', 'task.mcp_command', 'task.mcp_args', 'task.mcp_argv'];

/** `config.<key>`: a key of the archetype's `executor.config`. */
export const ADAPTER_CONFIG_VARIABLE = /^config\.[A-Za-z0-9_]+$/;
