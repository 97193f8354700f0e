// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';
import {
  KitError,
  type SkillsApp,
  toWireCatalogue,
  toWireImport,
  toWireSkillCheck,
  toWireSkillPlan,
} from '@kit-run/kit/command';
import { SKILL_CATALOGUE, SKILL_CHECKS, SKILL_IMPORTED, SKILLS_ADDED } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';

const ADD_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['ref'],
  properties: {
    ref: { type: 'string', minLength: 1, maxLength: 200, description: 'Id of a bundle or a skill of the catalogue.' },
    dry_run: { type: 'boolean', default: false, description: 'Answers what would be written, and its digest.' },
    digest: { type: 'string', maxLength: 200, description: 'Of the dry run that was looked at; a write wants it.' },
  },
} as const;

const IMPORT_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: {
    text: { type: 'string', description: 'A whole SKILL.md.' },
    origin: { type: 'string', maxLength: 500, default: 'upload', description: 'Written into its provenance.' },
    dry_run: { type: 'boolean', default: false, description: 'Converts, and writes nothing.' },
  },
} as const;

/** What the handlers of one workspace need. */
export interface SkillDesk {
  readonly skills: SkillsApp;
  readonly workspace: string;
}

const WRITE = { tier: 'admin', mayAnswer: [409, 412, 502, 503] } as const;

interface AddBody {
  readonly ref: string;
  readonly dry_run: boolean;
  readonly digest?: string;
}

interface ImportBody {
  readonly text: string;
  readonly origin: string;
  readonly dry_run: boolean;
}

/** What is written was looked at before: its digest says so. */
function agreedDigest({ digest }: AddBody): string {
  if (digest !== undefined) return digest;
  throw new KitError('KIT_SKILL_REFUSED', 'a write needs the `digest` of the plan', {
    hint: 'Ask with dry_run first, and send the digest that it answers.',
  });
}

/** The catalogue of skills, and what comes from it into the workspace. */
export function skillRoutes(server: FastifyInstance, { skills, workspace }: SkillDesk): void {
  server.get<{ Querystring: { q: string; refresh: boolean } }>(
    '/api/skill-catalogue',
    {
      config: { tier: 'read', mayAnswer: [502] },
      schema: {
        summary: 'Bundles and skills that can be added',
        querystring: {
          type: 'object',
          additionalProperties: false,
          properties: {
            q: { type: 'string', maxLength: 1000, default: '', description: 'Words that all have to occur.' },
            refresh: { type: 'boolean', default: false, description: 'Reads a remote catalogue anew.' },
          },
        },
        response: { 200: SKILL_CATALOGUE },
      },
    },
    async ({ query: { q, refresh } }) => toWireCatalogue(await skills.catalogue({ workspace, query: q, refresh })),
  );
  server.post<{ Body: AddBody }>(
    '/api/skills/add',
    {
      config: WRITE,
      schema: { summary: 'Adds a bundle or a skill of the catalogue', body: ADD_BODY, response: { 200: SKILLS_ADDED } },
    },
    async ({ body }) => {
      const ask = { workspace, ref: body.ref, cwd: null, refresh: false };
      if (body.dry_run) return toWireSkillPlan(await skills.planAdd(ask), null);
      const { plan, applied } = await skills.add({ ...ask, digest: agreedDigest(body) });
      return toWireSkillPlan(plan, applied);
    },
  );
  server.post<{ Body: ImportBody }>(
    '/api/skills/import',
    {
      config: WRITE,
      schema: { summary: 'Makes a skill of a SKILL.md', body: IMPORT_BODY, response: { 200: SKILL_IMPORTED } },
    },
    async ({ body: { text, origin, dry_run } }) => {
      const ask = { workspace, source: { kind: 'text', text, origin }, topology: null } as const;
      if (dry_run) return toWireImport(await skills.planImport(ask), null);
      const { plan, applied } = await skills.import(ask);
      return toWireImport(plan, applied);
    },
  );
  server.get(
    '/api/skills/check',
    {
      config: { tier: 'read', mayAnswer: [503] },
      schema: { summary: 'Whether the tools that skills call are there', response: { 200: SKILL_CHECKS } },
    },
    async () => (await skills.check({ workspace, start: 'named' })).checks.map(toWireSkillCheck),
  );
}
