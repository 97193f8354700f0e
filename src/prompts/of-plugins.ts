/** Asks for JSON in words, where a service cannot be given the schema. */
export const schemaInWords = (schema: string): string =>
  `Answer with one JSON value and nothing else, without code fences. It must be valid under this JSON Schema:\n${schema}`;

/** Stands in the description of a tool that takes one of several arguments. */
export const oneArgumentOf = (sets: readonly string[]): string => `Give one of: ${sets.join('; ')}.`;

/** Stands in place of bytes of a tool's answer that no model is shown. */
export const bytesLeftOut = (what: string, mediaType: string, bytes: number): string =>
  `[${what}, ${mediaType}, ${bytes} bytes: left out, no model is shown it]`;

/** Told in the same session where an agent ends its turn because something was not allowed. */
export const afterDenials = (reasons: readonly string[]): string =>
  `kit did not allow what you asked for:\n- ${reasons.join('\n- ')}\nGo on without it and finish the task as far as you can.`;
