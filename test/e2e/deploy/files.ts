import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../../support/kit-process.js';

export const deployRoot = join(projectRoot, 'templates', 'deploy');

export const textOf = (path: string): string => readFileSync(join(deployRoot, path), 'utf8');

/** Plain data of a YAML file; tests say what they expect of it. */
export type Data = Readonly<Record<string, unknown>>;

export const yamlOf = (path: string): Data => parse(textOf(path), { merge: true }) as Data;

export interface Manifest {
  readonly file: string;
  readonly document: Data & { readonly apiVersion: string; readonly kind: string };
}

/** Every document of every manifest. */
export function manifests(): readonly Manifest[] {
  const names = readdirSync(join(deployRoot, 'k8s')).filter((name) => name.endsWith('.yaml'));
  return names.flatMap((name) =>
    parseAllDocuments(textOf(`k8s/${name}`)).map((document) => ({
      file: name,
      document: document.toJS() as Manifest['document'],
    })),
  );
}

/** The value at a path of keys and indexes; undefined where there is none. */
export function at(data: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as Data)[key] : undefined),
      data,
    );
}

/** Pod specs of the deployments, with the file and name that they stand in. */
export function pods(): readonly { readonly file: string; readonly name: string; readonly spec: Data }[] {
  return manifests()
    .filter(({ document }) => document.kind === 'Deployment')
    .map(({ file, document }) => ({
      file,
      name: String(at(document, 'metadata.name')),
      spec: at(document, 'spec.template.spec') as Data,
    }));
}

/** Queries by which KEDA counts runs, by the class of worker that they scale. */
export function scalerQueries(): ReadonlyMap<string, string> {
  const scaled = manifests().filter(({ document }) => document.kind === 'ScaledObject');
  return new Map(
    scaled.map(({ document }) => {
      const query = String(at(document, 'spec.triggers.0.metadata.query'));
      return [/job_class = '(\w+)'/.exec(query)?.[1] ?? '', query];
    }),
  );
}
