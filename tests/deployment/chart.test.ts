import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { settings } from '#config/env.ts';
import { installPackages } from '../harness/npm-packages.ts';
import { hasFiles, hasPrograms, root, run } from './programs.ts';
import { parseDocuments, readOps, readPage, readYaml } from './static-files.ts';

interface Container {
  image: string;
  args: string[];
  env: { name: string; value?: string }[];
  envFrom?: { secretRef?: { name: string }; configMapRef?: { name: string } }[];
  livenessProbe: { exec: { command: string[] } };
  readinessProbe: { exec: { command: string[] } };
  securityContext: object;
  volumeMounts: { name: string }[];
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  stringData?: Record<string, string>;
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    selector: { matchLabels?: Record<string, string> };
    podSelector?: { matchLabels: Record<string, string> };
    scaleTargetRef?: { kind: string; name: string };
    template: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[]; securityContext: object; volumes: object[] };
    };
  };
}

const chart = join(root, 'ops/helm/toprung');
/** Debian's packages of Go and of the two libraries. */
const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' };
const secrets = {
  DATABASE_URL: 'postgres://toprung:word@db/toprung',
  AUTH_SECRET: 'a'.repeat(32),
  ENCRYPTION_KEY: 'b'.repeat(32),
};
const full = {
  secrets: { ...secrets, QUEUE_URL: 'redis://valkey:6379', SETUP_TOKEN: 'otters: "row" home' },
  settings: {
    PUBLIC_URL: 'https://aso.example.org',
    SCRAPE_IOS_RPM: '20',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  },
  imagePullSecrets: [{ name: 'registry' }],
  worker: { backups: { existingClaim: 'backups' } },
  ingress: {
    enabled: true,
    host: 'aso.example.org',
    className: 'nginx',
    tlsSecretName: 'aso-tls',
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
  },
  networkPolicy: { apiClients: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

/** The pod that restores a backup. */
async function readRestorePod(): Promise<Manifest['spec']['template'] & { kind: string }> {
  return parse(/```yaml\n([^]+?)```/.exec(await readPage('containers.md'))![1]!);
}

const validate = async (values: object) =>
  new Ajv().compile(JSON.parse(await readOps('helm/toprung/values.schema.json')) as object)(values);

test('the schema of the chart accepts its own values and refuses misspelt ones', async () => {
  expect(await validate(await readYaml('helm/toprung/values.yaml'))).toBe(true);
  expect(await validate(full)).toBe(true);
  expect(await validate({ replicaCount: 2 })).toBe(false);
  expect(await validate({ settings: { PUBLIC_URL: 1 } })).toBe(false);
  expect(await validate({ api: { replicas: 0 } })).toBe(false);
});

const libraries = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'];
const canRender =
  hasPrograms(['go'], 'the chart is not rendered') &&
  hasFiles(
    libraries.map((name) => `${go.GOPATH}/src/${name}`),
    'the chart is not rendered',
  );

describe.skipIf(!canRender)('the chart', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toprung-chart-'));
    program = join(folder, 'render-chart');
    const source = join(root, 'tests/deployment/render-chart.go');
    await run('go', ['build', '-o', program, source], { env: { ...go, GOCACHE: folder } });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const render = async (values: object, release = 'toprung'): Promise<Manifest[]> => {
    const text = await run(program, [chart, release, 'aso'], { input: stringify(values) });
    expect(text).not.toContain('<no value>');
    return parseDocuments<Manifest>(
      text.replace(/^---\n# Source: NOTES\.txt[\s\S]+?(?=^---$)/m, ''),
    );
  };
  const find = (manifests: Manifest[], kind: string, name: string): Manifest =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;

  test('has each role with probes, limits and a disruption budget, confined', async () => {
    const manifests = await render(full);
    for (const role of ['web', 'api', 'worker']) {
      const { spec } = find(manifests, 'Deployment', `toprung-${role}`);
      const [container] = spec.template.spec.containers;
      expect(container).toMatchObject({
        image: `toprung:${packageJson.version}`,
        args: ['start', '--role', role],
        livenessProbe: { exec: { command: ['node', '/app/src/cli/main.js', 'health', '--live'] } },
        readinessProbe: { exec: { command: ['node', '/app/src/cli/main.js', 'health'] } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.any(String) } },
      });
      expect(spec.template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const { matchLabels } = spec.selector;
      expect(spec.template.metadata.labels).toEqual(matchLabels);
      const budget = find(manifests, 'PodDisruptionBudget', `toprung-${role}`);
      expect(budget.spec.selector).toEqual({ matchLabels });
      for (const { name } of container!.env) expect(Object.keys(settings)).toContain(name);
    }
    const worker = find(manifests, 'Deployment', 'toprung-worker').spec;
    expect(worker.replicas).toBeUndefined();
    expect(worker.template.spec.containers[0]!.volumeMounts).toContainEqual({
      name: 'backups',
      mountPath: '/backups',
    });
    expect(find(manifests, 'HorizontalPodAutoscaler', 'toprung-worker').spec).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'toprung-worker' },
    });
  });

  test('lets the web role alone reach the API, without the key of stored secrets', async () => {
    const manifests = await render(full);
    const web = find(manifests, 'Deployment', 'toprung-web').spec;
    const [container] = web.template.spec.containers;
    expect(container!.envFrom).toBeUndefined();
    const names = container!.env.map(({ name }) => name);
    expect(names).toContain('AUTH_SECRET');
    expect(names).not.toContain('ENCRYPTION_KEY');
    expect(names).not.toContain('DATABASE_URL');
    // A trace begins at the web origin.
    expect(container!.env).toContainEqual({
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      value: 'http://collector:4318',
    });
    expect(names).toContain('OTEL_EXPORTER_OTLP_HEADERS');
    const policy = find(manifests, 'NetworkPolicy', 'toprung-api').spec;
    expect(policy.podSelector).toEqual(find(manifests, 'Deployment', 'toprung-api').spec.selector);
    expect(policy).toMatchObject({
      ingress: [
        {
          from: [
            { podSelector: web.selector },
            { namespaceSelector: { matchLabels: { name: 'monitoring' } } },
          ],
        },
      ],
    });
  });

  test('makes a secret of the given settings as they are, or uses one that exists', async () => {
    const manifests = await render(full);
    expect(find(manifests, 'Secret', 'toprung').stringData).toEqual(full.secrets);
    expect(find(manifests, 'ConfigMap', 'toprung').data).toEqual({
      ...full.settings,
      API_PROCESSES: '2',
    });
    const existing = await render({ existingSecret: 'mine' }, 'aso');
    expect(existing.some(({ kind }) => kind === 'Secret')).toBe(false);
    const { spec } = find(existing, 'Deployment', 'aso-toprung-api');
    expect(spec.template.spec.containers[0]!.envFrom).toContainEqual({
      secretRef: { name: 'mine' },
    });
    for (const name of Object.keys(secrets))
      await expect(render({ secrets: { ...secrets, [name]: null } })).rejects.toThrow(
        `Set existingSecret, or secrets.${name}.`,
      );
  });

  test('has a worker whose settings and claim the pod of the docs restores with', async () => {
    const { spec } = await readRestorePod();
    const worker = { backups: { existingClaim: 'backups' } };
    const manifests = await render({ existingSecret: 'toprung-settings', worker });
    const own = find(manifests, 'Deployment', 'toprung-worker').spec.template.spec;
    const [container] = spec.containers;
    expect(container!.envFrom).toEqual(own.containers[0]!.envFrom);
    expect(container!.image).toMatch(new RegExp(`:${packageJson.version}$`));
    expect(own.containers[0]!.volumeMounts).toEqual(
      expect.arrayContaining(container!.volumeMounts),
    );
    expect(own.volumes).toEqual(expect.arrayContaining(spec.volumes));
    expect(own.securityContext).toMatchObject(spec.securityContext);
  });

  test('has only fields that Kubernetes has, whatever is switched on', async (context) => {
    const packages = await installPackages({ 'kubernetes-types': '1.30.0' });
    if (packages === null) return context.skip('npm reaches no registry here');
    try {
      const variants = [
        full,
        { existingSecret: 'mine', worker: { enabled: false } },
        { secrets, worker: { autoscaling: { enabled: false } }, networkPolicy: { enabled: false } },
      ];
      const rendered = (await Promise.all(variants.map((values) => render(values)))).flat();
      const manifests = [...rendered, (await readRestorePod()) as unknown as Manifest];
      const compile = async (all: object[]) => {
        await writeFile(join(packages.folder, 'chart.ts'), typesOf(all as Manifest[]));
        const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
        const tsc = join(root, 'node_modules/.bin/tsc');
        return run(tsc, [...flags, 'chart.ts'], { cwd: packages.folder });
      };
      expect(await compile(manifests)).toBe('');
      const misspelt = structuredClone(find(manifests, 'Deployment', 'toprung-api'));
      Object.assign(misspelt.spec.template.spec.containers[0]!, { imagePullpolicy: 'Always' });
      await expect(compile([misspelt])).rejects.toThrow(/imagePullpolicy/);
    } finally {
      await packages.remove();
    }
  });
});

/** Literals of each kind, in which the compiler refuses unknown fields. */
function typesOf(manifests: Manifest[]): string {
  return manifests
    .map(({ apiVersion, kind, ...content }, index) => {
      const module = `kubernetes-types/${moduleOf(apiVersion)}`;
      const text = JSON.stringify({ apiVersion, kind, ...content }, null, 1);
      return `export const manifest${index}: import('${module}').${kind} = ${text};`;
    })
    .join('\n');
}

/** `networking.k8s.io/v1` is `networking/v1`, and `v1` is `core/v1`. */
function moduleOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}.js` : `${group.split('.')[0]}/${version}.js`;
}
