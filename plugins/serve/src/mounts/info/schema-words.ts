/** The schema of a route that takes nothing but its address. */
export const answers = (summary: string, body: object, description = 'As asked.') => ({
  summary,
  response: { 200: { description, ...body } },
});
