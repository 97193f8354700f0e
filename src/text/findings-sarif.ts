import type { WorkspaceReport } from '../app/workspace-report.js';
import type { Severity } from '../domain/diagnostic.js';
import type { JsonObject } from '../domain/json.js';
import { sha256Hex } from '../lib/sha256.js';
import {
  type Finding,
  type FindingPlace,
  type FindingsOptions,
  findingsOf,
  pathInRepository,
  uriOf,
} from './diagnostics/findings.js';

export type { FindingsOptions } from './diagnostics/findings.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };
/** Root of the repository, wherever it was checked out. */
const ROOT = '%SRCROOT%';

const DEMANDS: Readonly<Record<string, string>> = {
  'validate.require':
    'Something declared is reached by no code path, or has no effect in this version; --require asks for neither.',
  'validate.require-verified': 'Nothing checks the output of a root; --require-verified asks for a check of each.',
};

/**
 * A plain message of SARIF takes `[text](target)` for a link; values that an author wrote make
 * none.
 */
const plain = (text: string): string => text.replaceAll('](', '\\](');

const physicalLocation = ({ path, region }: FindingPlace): JsonObject => {
  const uri = uriOf(path);
  const artifactLocation = uri.startsWith('file:') ? { uri } : { uri, uriBaseId: ROOT };
  return { artifactLocation, ...(region === null ? {} : { region: { ...region } }) };
};

/** The sentence below the title of a page. */
const summaryOf = (page: string): string =>
  page
    .split(/\n\s*\n/)
    .find((part) => !part.startsWith('#'))
    ?.replaceAll(/\s+/g, ' ')
    .trim() ?? '';

function rule(code: string, page: string | undefined): JsonObject {
  const explained = page === undefined ? (DEMANDS[code] ?? code) : summaryOf(page);
  const more = page === undefined ? 'See `kit validate --help`.' : `See \`kit validate --explain ${code}\`.`;
  return {
    id: code,
    shortDescription: { text: plain(explained) },
    help: { text: plain(`${explained} ${more}`), markdown: `${page?.trimEnd() ?? explained}\n\n${more}\n` },
    properties: { tags: [code.split('.')[0] ?? code] },
  };
}

/**
 * What stays the same when lines move: code, file, pointer and sentence, and which of several equal
 * ones it is. Sentences are masked before they come here, so the digest holds no secret.
 */
function fingerprints(findings: readonly Finding[]): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map(({ code, place, pointer, message }) => {
    const digest = sha256Hex([code, place.path, pointer ?? '', message].join('\n'));
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    return `${digest.slice(0, 32)}:${count}`;
  });
}

function result(finding: Finding, ruleIndex: number, fingerprint: string): JsonObject {
  const { code, severity, message, help, place, pointer, related } = finding;
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: plain(help === null ? message : `${message}\nhelp: ${help}`) },
    locations: [
      {
        physicalLocation: physicalLocation(place),
        ...(pointer === null ? {} : { logicalLocations: [{ fullyQualifiedName: `${place.path}#${pointer}` }] }),
      },
    ],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((one, index) => ({
            id: index + 1,
            physicalLocation: physicalLocation(one),
            message: { text: plain(one.message) },
          })),
        }),
    partialFingerprints: { 'kitDiagnostic/v1': fingerprint },
  };
}

/**
 * The report as one SARIF 2.1.0 log with one run. Paths are relative to the root of the repository
 * (`%SRCROOT%`), columns count UTF-16 units, rules carry the page of their code. No line of a file
 * is repeated: it may hold what a diagnostic hides.
 */
export function validationSarif(report: WorkspaceReport, view: FindingsOptions): JsonObject {
  const findings = findingsOf(report, view);
  const codes = [...new Set(findings.map(({ code }) => code))];
  const prints = fingerprints(findings);
  const place = pathInRepository(view, '').replace(/\/$/, '');
  const isInside = !uriOf(place).startsWith('file:') && place !== '';
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kit',
            semanticVersion: view.version,
            rules: codes.map((code) => rule(code, view.pages.get(code))),
          },
        },
        // Two workspaces of one repository are two analyses: the later one must not close the
        // alerts of the other.
        automationDetails: { id: isInside ? `kit-validate/${place}/` : 'kit-validate/' },
        columnKind: 'utf16CodeUnits',
        newlineSequences: ['\r\n', '\n', '\r'],
        originalUriBaseIds: { [ROOT]: { description: { text: 'The root of the repository.' } } },
        invocations: [{ executionSuccessful: true }],
        results: findings.map((finding, index) => result(finding, codes.indexOf(finding.code), prints[index] ?? '')),
      },
    ],
  };
}
