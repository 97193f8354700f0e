/**
 * What a run refers to and a machine may lack: a variable of the environment, a named credential, a
 * program, a tool server of its workspace. Only names; a value is never part of it.
 */
export interface Reference {
  readonly kind: 'variable' | 'credential' | 'program' | 'server';
  /**
   * The variable's name, the credential's, the first word of a command line, or the server's id.
   */
  readonly name: string;
}

const KINDS: readonly string[] = ['variable', 'credential', 'program', 'server'] satisfies readonly Reference['kind'][];

/** `variable:LOCAL_KEY`: how rows and offers write it. */
export const referenceText = ({ kind, name }: Reference): string => `${kind}:${name}`;

/** The other way round; null for a text of no kind that is known here. */
export function readReference(text: string): Reference | null {
  const at = text.indexOf(':');
  const kind = text.slice(0, Math.max(at, 0));
  return KINDS.includes(kind) ? { kind: kind as Reference['kind'], name: text.slice(at + 1) } : null;
}
