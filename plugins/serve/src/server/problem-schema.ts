/** The document of every refusal (RFC 9457), for OpenAPI. */
export const PROBLEM_SCHEMA = {
  type: 'object' as const,
  description: 'A refusal. Compare `code`; `detail` and `hint` are for people.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'hint'],
  additionalProperties: false,
  properties: {
    type: { type: 'string' as const, description: '`urn:kit:error:<code>`.' },
    title: { type: 'string' as const },
    status: { type: 'integer' as const },
    detail: { type: 'string' as const },
    instance: { type: 'string' as const, description: 'Path of the request.' },
    code: { type: 'string' as const, description: 'Stable name of the refusal.' },
    hint: { type: 'string' as const, description: 'What to do next.' },
    valid: { type: 'boolean' as const, const: false, description: 'Of an artifact that was refused.' },
    errors: {
      type: 'array' as const,
      description: 'Each misfit of a body, query, path or artifact.',
      items: {
        type: 'object' as const,
        required: ['message', 'code'],
        properties: {
          pointer: {
            type: 'string' as const,
            description: 'JSON Pointer; its first part names the part of the request.',
          },
          message: { type: 'string' as const },
          code: { type: 'string' as const },
          path: { type: ['string', 'null'] as ('string' | 'null')[], description: 'File of an artifact.' },
        },
      },
    },
  },
};
