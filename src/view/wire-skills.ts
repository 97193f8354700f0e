import type { JsonObject } from '../domain/json.js';
import type { WireCatalogue, WireImport, WireSkillCheck, WireSkillPlan } from './schemas/skill.js';
import type {
  AppliedSkills,
  BundleRow,
  CatalogueReport,
  ConfigEntry,
  ImportPlan,
  OfferedSkill,
  SkillCheck,
  SkillPlan,
  SkillRow,
} from './skill-report.js';

/** A skill of a workspace as every door shows it. */
export const toWireSkillRow = ({ id, name, category, backing, server, path, heldBy }: SkillRow): JsonObject => ({
  id,
  name,
  category,
  backing,
  server,
  path,
  held_by: [...heldBy],
});

const toWireBundle = (bundle: BundleRow): WireCatalogue['bundles'][number] => ({
  id: bundle.id,
  name: bundle.name,
  description: bundle.description,
  skills: [...bundle.skills],
  verification: bundle.verification,
  requires_runtime: bundle.requiresRuntime,
  needs: [...bundle.needs],
});

const toWireOffered = (skill: OfferedSkill): WireCatalogue['skills'][number] => ({
  id: skill.id,
  bundle: skill.bundle,
  name: skill.name,
  description: skill.description,
  backing: skill.backing,
  server: skill.server,
  installed: skill.isInstalled,
});

/** The catalogue as every door shows it. */
export const toWireCatalogue = ({ source, bundles, skills, broken }: CatalogueReport): WireCatalogue => ({
  source,
  bundles: bundles.map(toWireBundle),
  skills: skills.map(toWireOffered),
  broken: broken.map(({ id, problem }) => ({ id, problem })),
});

/** What a search found. */
export const toWireFoundSkills = ({ skills, workspace }: CatalogueReport): JsonObject => ({
  catalogue: skills.map(({ id, bundle, name, description, backing, isInstalled }) => ({
    id,
    bundle,
    name,
    description,
    backing,
    installed: isInstalled,
  })),
  workspace: [...workspace],
});

const toWireEntry = ({ section, id, value, state }: ConfigEntry): WireSkillPlan['credential_entries'][number] => ({
  section,
  id,
  value,
  state,
});

const toWireApplied = ({ files, server, reloaded }: AppliedSkills): WireSkillPlan['applied'] => ({
  skill_files: [...files],
  server,
  reloaded,
});

/** What would be written, or was. `applied`: null = nothing was. */
export const toWireSkillPlan = (plan: SkillPlan, applied: AppliedSkills | null): WireSkillPlan => ({
  skill_files: Object.fromEntries(plan.files.map(({ path, text }) => [path, text])),
  file_states: Object.fromEntries(plan.files.map(({ path, state }) => [path, state])),
  server_entry: plan.server?.value ?? null,
  server_state: plan.server?.state ?? null,
  credential_entries: plan.credentials.map(toWireEntry),
  notes: [...plan.notes],
  digest: plan.digest,
  applied: applied === null ? null : toWireApplied(applied),
});

/** A SKILL.md as it became, or would become, a skill. */
export const toWireImport = (plan: ImportPlan, applied: AppliedSkills | null): WireImport => ({
  id: plan.skill,
  path: plan.path,
  skill: plan.files.find(({ path }) => path === plan.path)?.text ?? '',
  documents: plan.files.flatMap(({ path }) => (path === plan.path ? [] : [path])),
  left_out: [...plan.leftOut],
  notes: [...plan.notes],
  written: applied !== null,
});

/** Whether the tool behind a skill is there. */
export const toWireSkillCheck = ({ skill, server, tool, status, detail }: SkillCheck): WireSkillCheck => ({
  skill_id: skill,
  server_id: server,
  tool,
  status,
  detail,
});
