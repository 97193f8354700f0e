/** Parts of response schemas: an object holds exactly what is named, and all of it. */
export const text = { type: 'string' } as const;
export const maybeText = { type: ['string', 'null'] } as const;
export const flag = { type: 'boolean' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const maybeNumber = { type: ['number', 'null'] } as const;
export const texts = { type: 'array', items: text } as const;

/** Every member is there unless `optional` names it. */
export function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', additionalProperties: false, required, properties } as const;
}

export const list = (items: object) => ({ type: 'array', items }) as const;

/** The schema of a route that takes nothing but its address. */
export const answers = (summary: string, body: object, description = 'As asked.') => ({ summary, response: { 200: { description, ...body } } });
