/** The end of what a session is told whose answer has a schema. */
export const contract = (schema: string): string => `End with one JSON value that fits this JSON Schema:\n${schema}`;

/** Added for the session after one whose answer does not fit. */
export const sessionCorrection = (faults: readonly string[]): string =>
  `The last answer did not fit the schema. Correct only these places:\n- ${faults.join('\n- ')}`;
