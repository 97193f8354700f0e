import { type CatalogueReport, oneLine, type SkillRow } from '@kit-run/kit/command';

/** Columns as wide as their widest cell; the last one is not filled up. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
  );
}

/** The skills of a workspace: what carries each out, and who holds it. */
export function skillsText(rows: readonly SkillRow[]): string {
  if (rows.length === 0) return 'the workspace has no skills; `kit skill list --available` shows what there is to add';
  return table(
    rows.map(({ id, category, backing, server, heldBy }) => [
      oneLine(id),
      oneLine(category),
      oneLine(server === null ? backing : `${backing} (${server})`),
      heldBy.length === 0 ? 'nobody holds it' : `held by ${oneLine(heldBy.join(', '), 300)}`,
    ]),
  ).join('\n');
}

const brokenText = ({ broken }: CatalogueReport): readonly string[] =>
  broken.map(({ id, problem }) => `broken: ${oneLine(id)}: ${oneLine(problem, 300)}`);

/** Everything that can be added, bundle by bundle. */
export function availableText(report: CatalogueReport): string {
  const { source, bundles, skills } = report;
  return [
    `catalogue ${oneLine(source, 300)}`,
    ...bundles.flatMap(({ id, name, description, verification, needs }) => [
      '',
      `${oneLine(id)}  ${oneLine(name)}: ${oneLine(description, 300)}`,
      ...(verification === '' ? [] : [`  verified: ${oneLine(verification, 300)}`]),
      ...(needs.length === 0 ? [] : [`  needs on PATH: ${oneLine(needs.join(', '))}`]),
      ...table(
        skills
          .filter(({ bundle }) => bundle === id)
          .map((skill) => [
            `  ${oneLine(skill.id)}`,
            `${oneLine(skill.description, 200)}${skill.isInstalled ? ' (installed)' : ''}`,
          ]),
      ),
    ]),
    ...brokenText(report),
  ].join('\n');
}

/** What a search found, best first. */
export function foundText(report: CatalogueReport): string {
  const { skills, workspace } = report;
  if (skills.length === 0 && workspace.length === 0) return 'nothing found; every word has to occur';
  return [
    ...table(
      skills.map(({ id, bundle, description, isInstalled }) => [
        oneLine(id),
        oneLine(bundle),
        `${oneLine(description, 200)}${isInstalled ? ' (installed)' : ''}`,
      ]),
    ),
    ...(workspace.length === 0 ? [] : [`in the workspace: ${oneLine(workspace.join(', '), 500)}`]),
    ...brokenText(report),
  ].join('\n');
}
