import { ADAPTER_CONFIG_VARIABLE, ADAPTER_VARIABLES } from '@kit-run/kit/plugin';

/** Values by variable name; a name that is not there expands to nothing (it was checked before). */
export type Variables = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([A-Za-z0-9_.]+)\}/g;

/**
 * The Node that runs kit and the folder of this plugin: how the bundled test-runner names its own
 * program.
 */
const OWN: readonly string[] = ['runtime.node', 'runtime.harness'];

/** True when a launch template may name it. */
export function isKnownVariable(name: string): boolean {
  return ADAPTER_VARIABLES.includes(name) || OWN.includes(name) || ADAPTER_CONFIG_VARIABLE.test(name);
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
  return template.replace(PLACEHOLDER, (_whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? '') : '',
  );
}
