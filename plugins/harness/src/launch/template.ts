/** Values by variable name; a name that is not there expands to nothing (it was checked before). */
export type Variables = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([A-Za-z0-9_.]+)\}/g;

/** Variables that a template may name, besides `config.<key>`. `tool` and `gateway` belong to `mcp_tool_name` alone. */
const KNOWN = new Set([
  'task.statement',
  'task.base_ref',
  'task.mcp_config',
  'sandbox.root',
  'budget.max_turns',
  'budget.max_cost_usd',
  'budget.max_wall_clock_minutes',
  'resume.token',
  'grant.capabilities',
  'credential.model_provider',
  // The Node that runs kit and the folder of this plugin: how the bundled test-runner names its own program.
  'runtime.node',
  'runtime.harness',
]);

const CONFIG_KEY = /^config\.[A-Za-z0-9_]+$/;

/** True when a launch template may name it. */
export function isKnownVariable(name: string): boolean {
  return KNOWN.has(name) || CONFIG_KEY.test(name);
}

/** Names in the template that no launch can fill. */
export function unknownVariables(template: string): readonly string[] {
  return variablesOf(template).filter((name) => !isKnownVariable(name));
}

/** All placeholder names of a template, in order. */
export function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
}

/** One pass over the template: braces inside a substituted value are never looked at. */
export function expand(template: string, variables: Variables): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : ''));
}
