/** Parts of response schemas: an object holds exactly what is named, and all of it. */
export const text = { type: 'string' } as const;
export const maybeText = { type: ['string', 'null'] } as const;
export const flag = { type: 'boolean' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const maybeNumber = { type: ['number', 'null'] } as const;
export const texts = { type: 'array', items: text } as const;

export { closed as object } from '../shared/schema.js';

export const list = (items: object) => ({ type: 'array', items }) as const;

/** The schema of a route that takes nothing but its address. */
export const answers = (summary: string, body: object, description = 'As asked.') => ({
  summary,
  response: { 200: { description, ...body } },
});
