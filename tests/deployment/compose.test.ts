import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { hasPrograms, root, run } from './programs.ts';
import { readOps } from './static-files.ts';

interface Service {
  image: string;
  ports?: unknown[];
  networks?: Record<string, unknown>;
  environment?: Record<string, string>;
  logging?: { driver: string; options: Record<string, string> };
  mem_limit?: string;
  read_only?: boolean;
  command?: string[];
}
interface ComposeFile {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

const canRun = hasPrograms(['docker-compose'], 'the compose files are not validated');
const secrets = {
  POSTGRES_PASSWORD: 'word',
  AUTH_SECRET: 'a'.repeat(32),
  ENCRYPTION_KEY: 'b'.repeat(32),
};

describe.skipIf(!canRun)('docker-compose accepts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toprung-compose-'));
    await writeFile(join(folder, '.env'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const render = async (file: string, env: Record<string, string> = {}): Promise<ComposeFile> => {
    const flags = ['--project-directory', folder, '--file', file];
    return parse(await run('docker-compose', [...flags, 'config'], { env })) as ComposeFile;
  };

  test('compose.yml, which publishes the web origin alone and limits everything', async () => {
    const file = join(root, 'ops/compose.yml');
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const { services, networks } = await render(file, { ...secrets, ...collector });
    expect(Object.keys(services).toSorted()).toEqual([
      'api',
      'postgres',
      'valkey',
      'web',
      'worker',
    ]);
    expect(networks.private).toMatchObject({ internal: true });
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.ports !== undefined]).toEqual([name, name === 'web']);
      expect([name, service.networks]).toEqual([name, expect.objectContaining({ private: null })]);
      expect(service.logging).toEqual({
        driver: 'json-file',
        options: { 'max-size': '10m', 'max-file': '3' },
      });
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    }
    expect(services.web!.ports).toEqual(['127.0.0.1:3000:3000/tcp']);
    expect(Object.keys(services.postgres!.networks!)).toEqual(['private']);
    expect(services.valkey!.command?.join(' ')).toContain('192mb --maxmemory-policy noeviction');
    for (const role of ['web', 'api', 'worker'])
      expect([role, services[role]!.read_only]).toEqual([role, true]);
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY', 'POSTGRES_PASSWORD'])
      expect(Object.keys(services.web!.environment!)).not.toContain(name);
    // A trace begins at the web origin.
    expect(services.web!.environment).toMatchObject(collector);
  });

  test('compose.yml only with its secrets', async () => {
    const file = join(root, 'ops/compose.yml');
    for (const missing of Object.keys(secrets))
      await expect(render(file, { ...secrets, [missing]: '' })).rejects.toThrow(
        /write it into ops\/.env/,
      );
  });

  test('compose.single.yml, whose port only this machine reaches', async () => {
    const { services } = await render(join(root, 'ops/compose.single.yml'));
    expect(Object.keys(services)).toEqual(['toprung']);
    expect(services.toprung).toMatchObject({
      ports: ['127.0.0.1:3000:3000/tcp'],
      read_only: true,
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
    });
  });

  test.each([
    'casaos/docker-compose.yml',
    'umbrel/docker-compose.yml',
    'truenas/compose.yml',
    'coolify/toprung.yaml',
    'dokploy/docker-compose.yml',
  ])('the catalogue file %s', async (path) => {
    const file = join(folder, 'catalogue.yml');
    const { name: _, ...content } = parse(await readOps(`catalogues/${path}`)) as ComposeFile & {
      name?: string;
    };
    // The proxy of umbrelOS gets its image there, and volumes of Coolify are added there.
    const services: Record<string, object> = { ...content.services };
    if ('app_proxy' in services) services.app_proxy = { ...services.app_proxy, image: 'proxy' };
    const volumes = { 'toprung-data': {}, 'toprung-backups': {} };
    await writeFile(file, stringify({ volumes, ...content, services }));
    const rendered = await render(file, {
      TOPRUNG_IMAGE: 'registry.example.org/toprung:9',
      SETUP_TOKEN: 'otters-row-home',
      APP_PASSWORD: 'word',
      APP_DATA_DIR: folder,
      PUBLIC_URL: 'https://a',
      TZ: 'UTC',
      SERVICE_PASSWORD_64_SETUP: 'word',
      SERVICE_URL_TOPRUNG: 'https://a',
    });
    const [product] = Object.values(rendered.services).filter(({ image }) => image !== 'proxy');
    expect(product).toMatchObject({ read_only: true, image: 'registry.example.org/toprung:9' });
  });
});
