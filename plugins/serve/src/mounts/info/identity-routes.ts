import { isKitError } from '@kit-run/kit/plugin';
import {
  AUTH_INFO,
  CAPABILITIES,
  OBJECT,
  toWire,
  WHOAMI,
  type WireAuthInfo,
  type WireCapabilities,
  type WireWho,
} from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

const WHO = answers('Who is calling, as the auth provider proved it.', WHOAMI);
const HOW = answers('How a caller proves who it is. Public: it describes the server and not the caller.', AUTH_INFO);
const ABLE = answers('What a client may count on.', CAPABILITIES);

/** A JSON Schema may hold any keyword. */
const ARTIFACT_SCHEMA = {
  ...answers('The JSON Schema of an artifact kind, self-contained.', OBJECT, 'A JSON Schema 2020-12.'),
  params: {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', description: 'A kind: `topology`, `role-registry`.' } },
  },
};

/** Who calls, how callers are known, and what this server can do. */
export function identityRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  // Who calls is known, whatever became of the files of roles.
  const rolesOf = async (identity: string): Promise<readonly string[] | null> => {
    try {
      return await app.review.rolesOf({ workspace, identity });
    } catch (error) {
      if (isKitError(error) && error.code !== 'KIT_INTERNAL') return null;
      throw error;
    }
  };
  server.get('/whoami', { schema: WHO }, async ({ caller }): Promise<WireWho> => {
    const { mode } = await app.info.authInfo(workspace);
    return {
      client_id: caller.clientId,
      client_name: caller.clientName,
      provider: caller.provider,
      scopes: [...caller.scopes].sort(),
      roles: await rolesOf(caller.clientId),
      mode,
      workspace: servedId(app),
    };
  });
  server.get('/auth-info', { schema: HOW, config: { tier: 'public' } }, async (): Promise<WireAuthInfo> => {
    const info = await app.info.authInfo(workspace);
    const place = await app.info.signInPlace(workspace);
    return place === null ? info : { ...info, oidc: { ...info.oidc, authorization_endpoint: place } };
  });
  server.get('/capabilities', { schema: ABLE }, async (): Promise<WireCapabilities> => {
    const found = await app.info.capabilities(workspace);
    const { description, annotations } = found;
    return toWire(CAPABILITIES, { ...found, metadata: { description, annotations } });
  });
  server.get<{ Params: { type: string } }>('/api/schema/:type', { schema: ARTIFACT_SCHEMA }, ({ params }) =>
    app.info.schema(params.type),
  );
}

/** Null: the workspace is not served yet. */
function servedId({ serve }: Pick<ServedInfo['app'], 'serve'>): string | null {
  try {
    return serve.current().id;
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_NOT_READY') return null;
    throw error;
  }
}
