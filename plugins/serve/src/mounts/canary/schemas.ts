import { closed } from '@kit-run/kit/wire';

export const TOPOLOGY_PARAM = closed({ topology: { type: 'string', minLength: 1, maxLength: 256 } });
export const PROMOTE_BODY = {
  type: 'object',
  required: ['version'],
  properties: { version: { type: 'string', minLength: 1, maxLength: 64 } },
} as const;
