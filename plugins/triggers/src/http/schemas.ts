/** What `POST /triggers/{id}/fire` may be sent; without a body the trigger gives its own input. */
export const FIRE_REQUEST_SCHEMA = {
  type: ['object', 'null'],
  properties: { input: { description: 'Input of every run: a text, or JSON.' } },
};

/** Path parameters. */
export const nameParams = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 256 } },
};
export const idParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 256 } },
};
