/** One step of a rehearsed session. */
export type RehearsedStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly content: string }
  | { readonly kind: 'run'; readonly command: string };

const MAX_STEPS = 100;

function stepOf(entry: unknown, at: number): RehearsedStep {
  const step = typeof entry === 'object' && entry !== null ? (entry as Readonly<Record<string, unknown>>) : {};
  if (typeof step.say === 'string') return { kind: 'say', text: step.say };
  if (typeof step.run === 'string') return { kind: 'run', command: step.run };
  if (typeof step.edit === 'string')
    return { kind: 'edit', path: step.edit, content: typeof step.content === 'string' ? step.content : '' };
  throw new Error(`step ${at + 1} of \`script\` is none of say, edit (with content) and run`);
}

/**
 * The steps of `config.script`, given as JSON text; '' = none were written. Throws a sentence for
 * what is not a script.
 */
export function readScript(text: string): readonly RehearsedStep[] {
  const script: unknown = text === '' ? [] : JSON.parse(text);
  if (!Array.isArray(script)) throw new Error('`script` of the adapter rehearsal is a list of steps');
  if (script.length > MAX_STEPS) throw new Error(`\`script\` has ${script.length} steps; at most ${MAX_STEPS}`);
  return script.map(stepOf);
}
