import type { TriggerReport } from '@kit-run/kit/command';

const targetsOf = ({ targets, pipelineTargets }: TriggerReport): string =>
  [...targets, ...pipelineTargets.map(({ pipeline, emit }) => `${pipeline}:${emit}`)].join(', ');

function stateOf({ enabled, reason, nextFireAt }: TriggerReport): string {
  if (!enabled) return 'disabled';
  if (reason !== null) return `inactive: ${reason}`;
  return nextFireAt === null ? 'active' : `active, next ${nextFireAt}`;
}

/** A line for each trigger: id, type, what it starts, how it stands. */
export function triggerLines(reports: readonly TriggerReport[]): readonly string[] {
  const rows = reports.map(
    (report) => [report.id, report.providerId ?? report.type, targetsOf(report), stateOf(report)] as const,
  );
  const widthOf = (column: 0 | 1 | 2): number => Math.max(0, ...rows.map((row) => row[column].length));
  const widths = [widthOf(0), widthOf(1), widthOf(2)] as const;
  return rows.map(
    ([id, type, targets, state]) =>
      `${id.padEnd(widths[0])}  ${type.padEnd(widths[1])}  ${targets.padEnd(widths[2])}  ${state}`,
  );
}
