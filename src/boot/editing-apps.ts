import type { App } from '../app/app.js';
import { lazily } from '../lib/lazily.js';
import type { SkillsParts } from './app-skills.js';
import type { AppParts, OpenedEditing, Plugins } from './parts.js';

/** Use cases that change the files of a workspace, one at a time. */
export function editingApps(parts: AppParts, plugins: Plugins, around: SkillsParts): Pick<App, 'editing' | 'skills'> {
  let opened: Promise<OpenedEditing> | undefined;
  const open = () =>
    (opened ??= import('./app-editing.js').then(({ openEditing }) => openEditing(parts, plugins, around)));
  return {
    editing: lazily(async () => (await open()).editing),
    skills: lazily(async () => (await import('./app-skills.js')).openSkills(parts, { ...around, ...(await open()) })),
  };
}
