import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/domain/diagnostic.js';
import { validationSarif } from '../../src/text/findings-sarif.js';
import { findingsView, reportOf, UNVERIFIED } from '../support/findings.js';
import { sarifIssues } from '../support/sarif-schema.js';

const PATH = 'topologies/a b.yaml';
const SOURCE = '\uFEFFone: 1\r\n  archetype: "😀greter"\n';

const at = (marked: string, more: Partial<Diagnostic> = {}, source = SOURCE): Diagnostic => ({
  code: 'agent.unknown-archetype',
  severity: 'error',
  message: 'no archetype is called `greter`',
  path: PATH,
  pointer: '/agents/root/archetype',
  span: { path: PATH, start: source.indexOf(marked), end: source.indexOf(marked) + marked.length },
  ...more,
});

/** The only run of a log, read as a consumer reads it. */
interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly automationDetails: unknown;
  readonly results: readonly Record<string, unknown>[];
}

function runOf(
  diagnostics: readonly Diagnostic[],
  view = findingsView(),
  sources: Readonly<Record<string, string>> = { [PATH]: SOURCE },
): Run {
  const log = JSON.parse(JSON.stringify(validationSarif(reportOf(diagnostics, sources), view))) as { runs: [Run] };
  expect(sarifIssues(log)).toEqual([]);
  return log.runs[0];
}

const printOf = (diagnostics: readonly Diagnostic[], source: string): unknown =>
  runOf(diagnostics, findingsView(), { [PATH]: source }).results.map(({ partialFingerprints }) => partialFingerprints);

test('the schema refuses a log that lacks what it needs', () => {
  expect(sarifIssues({ version: '2.1.0', runs: [{ results: [{ message: {} }] }] })).not.toEqual([]);
});

describe('the SARIF log', () => {
  test('of a valid workspace has an empty list of results, which closes what was open', () => {
    expect(runOf([])).toMatchObject({
      results: [],
      automationDetails: { id: 'kit-validate/team/' },
      columnKind: 'utf16CodeUnits',
    });
  });

  test('names file, region in UTF-16 columns without the byte order mark, pointer, help and the rule with its page', () => {
    const { results, tool } = runOf([at('😀greter', { help: 'did you mean `greeter`?' })]);

    expect(results).toEqual([
      {
        ruleId: 'agent.unknown-archetype',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'no archetype is called `greter`\nhelp: did you mean `greeter`?' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'team/topologies/a%20b.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 2, startColumn: 15, endLine: 2, endColumn: 23 },
            },
            logicalLocations: [{ fullyQualifiedName: 'team/topologies/a b.yaml#/agents/root/archetype' }],
          },
        ],
        partialFingerprints: { 'kitDiagnostic/v1': expect.stringMatching(/^[0-9a-f]{32}:1$/) },
      },
    ]);
    expect(tool.driver.rules).toMatchObject([
      {
        id: 'agent.unknown-archetype',
        shortDescription: { text: 'No file under `archetypes/` carries the id.' },
        help: {
          text: expect.stringContaining('kit validate --explain agent.unknown-archetype'),
          markdown: expect.stringContaining('More.'),
        },
      },
    ]);
    expect(runOf([at('one')]).results[0]).toMatchObject({
      locations: [{ physicalLocation: { region: { startLine: 1, startColumn: 1, endColumn: 4 } } }],
    });
  });

  test('gives each severity its level, related places, and a rule once for several results', () => {
    const related = [{ span: { path: PATH, start: 1, end: 4 }, message: 'first [defined](http://x) here' }];
    const { results, tool } = runOf([
      at('greter'),
      at('one', { severity: 'warning', related }),
      at('one', { code: 'key.not-yet', severity: 'info' }),
    ]);

    expect(results.map(({ level, ruleIndex }) => [level, ruleIndex])).toEqual([
      ['error', 0],
      ['warning', 0],
      ['note', 1],
    ]);
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['agent.unknown-archetype', 'key.not-yet']);
    // A value of the author must not become a link on the page of the service.
    expect(results[1]).toMatchObject({
      relatedLocations: [
        {
          id: 1,
          message: { text: 'first [defined\\](http://x) here' },
          physicalLocation: { region: { startLine: 1 } },
        },
      ],
    });
  });

  test('recognises a problem after its line moved, and tells two equal ones apart', () => {
    const moved = `# a comment\n\n${SOURCE.slice(1)}`;
    const before = [at('greter'), at('greter')];
    const after = [at('greter', {}, moved), at('greter', {}, moved)];

    expect(printOf(after, moved)).toEqual(printOf(before, SOURCE));
    expect(
      new Set(
        JSON.parse(JSON.stringify(printOf(before, SOURCE))).map(
          (print: Record<string, string>) => print['kitDiagnostic/v1'],
        ),
      ).size,
    ).toBe(2);
    const syntax = (line: number) => at('one', { code: 'workspace.yaml-parse', pointer: `/<line ${line}>` });
    expect(printOf([syntax(1)], SOURCE)).toEqual(printOf([syntax(9)], SOURCE));
    expect(printOf([at('one', { message: 'another' })], SOURCE)).not.toEqual(printOf([at('one')], SOURCE));
  });

  test('holds the demands that were not met', () => {
    const { results, tool } = runOf([], findingsView({ failures: [UNVERIFIED] }));

    expect(results).toMatchObject([
      {
        ruleId: 'validate.require-verified',
        level: 'error',
        message: { text: 'the output of 1 root is checked by nothing (--require-verified)\nhelp: hello@1.0.0 host' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'team/workspace.yaml' } } }],
      },
    ]);
    expect(tool.driver.rules).toMatchObject([{ id: 'validate.require-verified' }]);
  });

  test('repeats no line of a file, so that what a diagnostic hides stays hidden', () => {
    const source = 'api_key: sk-very-secret\n';
    const log = JSON.stringify(
      validationSarif(
        reportOf([at('api_key', { hides: 'rest', message: 'unknown field `api_key`' }, source)], { [PATH]: source }),
        findingsView(),
      ),
    );

    expect(log).not.toContain('sk-very-secret');
  });

  test('names a workspace outside the repository by an absolute URI, and the root without a folder', () => {
    const outside = runOf([at('one')], findingsView({ repositoryDir: '/elsewhere' }));
    const root = runOf([at('one')], findingsView({ workspaceDir: '/repo' }));

    expect(outside.results[0]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'file:///repo/team/topologies/a%20b.yaml' } } }],
    });
    expect(JSON.stringify(outside.results)).not.toContain('%SRCROOT%');
    expect(root).toMatchObject({ automationDetails: { id: 'kit-validate/' } });
    expect(root.results[0]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'topologies/a%20b.yaml' } } }],
    });
  });

  test('leaves warnings out with quiet', () => {
    expect(
      runOf([at('one', { severity: 'warning' }), at('greter')], findingsView({ quiet: true })).results,
    ).toHaveLength(1);
  });
});
