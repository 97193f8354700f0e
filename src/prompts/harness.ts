/** The end of what a session is told whose answer has a schema. */
export const contract = (schema: string): string => `End with one JSON value that fits this JSON Schema:\n${schema}`;

/** Added for the session after one whose answer does not fit. */
export const sessionCorrection = (faults: readonly string[]): string =>
  `The last answer did not fit the schema. Correct only these places:\n- ${faults.join('\n- ')}`;

/**
 * Told to a session that ended at a call which people have decided about since, where its model has
 * to ask for the call again.
 */
export function callDecided(call: {
  readonly tool: string;
  /** As JSON; secrets in it are masked. */
  readonly input: string;
  readonly answer: 'approved' | 'rejected';
  readonly comment: string;
}): string {
  const what = `${call.tool} ${call.input}`;
  if (call.answer === 'approved')
    return `You stopped because a person had to decide about this call: ${what}\nIt is approved. Make exactly this call again, once and unchanged, then go on with the task.`;
  const why = call.comment === '' ? '' : `\nThe person says: ${call.comment}`;
  return `You stopped because a person had to decide about this call: ${what}\nIt is rejected: do not make it.${why}\nGo on with the task without it.`;
}
