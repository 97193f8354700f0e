import type { JsonObject } from '../domain/json.js';
import { type CrashReport, type DoctorReport, hasFailed, hasRecovered } from './doctor-report.js';

/** What `kit doctor --json` answers. */
export const toWireDoctor = (report: DoctorReport): JsonObject => ({
  ok: !hasFailed(report),
  workspace: report.workspace,
  checks: report.checks.map(({ id, status, found, fix }) => ({ id, status, found, fix })),
});

/** What `kit doctor --crash --json` answers. Points are `<name>#<nth>`. */
export const toWireCrash = (report: CrashReport): JsonObject => ({
  ok: hasRecovered(report),
  store: report.store,
  points: report.points,
  chosen: report.chosen,
  tried: report.tried,
  recovered: report.recovered,
  repeated: report.repeated,
  lost: report.lost,
  seed: report.seed,
  elapsed_ms: report.elapsedMs,
  failures: report.failures.map(({ point, violations }) => ({
    point: `${point.name}#${point.nth}`,
    violations: [...violations],
  })),
});
