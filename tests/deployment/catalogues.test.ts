import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { settings } from '#config/env.ts';
import { hasPrograms, root, run } from './programs.ts';
import { readOps, readYaml } from './static-files.ts';

const files = [
  'compose.yml',
  'compose.single.yml',
  'catalogues/casaos/docker-compose.yml',
  'catalogues/umbrel/docker-compose.yml',
  'catalogues/umbrel/umbrel-app.yml',
  'catalogues/unraid/toprung.xml',
  'catalogues/truenas/compose.yml',
  'catalogues/coolify/toprung.yaml',
  'catalogues/dokploy/docker-compose.yml',
  'catalogues/dokploy/meta.json',
  'helm/toprung/Chart.yaml',
];

test.each(files)('%s has the version of package.json, and no other', async (path) => {
  const versions = (await readOps(path)).matchAll(
    /(?:toprung:|version"?: ["']?|appVersion: )(\d+\.\d+\.\d+)/gi,
  );
  const found = new Set([...versions].map(([, version]) => version));
  expect([...found]).toEqual([packageJson.version]);
});

const built = `toprung:${packageJson.version}`;
const variable = `\${TOPRUNG_IMAGE:-${built}}`;

/** Somebody else could own a name in a registry, and a page that is not ours. */
test.each(files)('%s names the image that is built from here, and no page', async (path) => {
  const text = await readOps(path);
  const images = [
    ...text.matchAll(/^ *image: (.*toprung.*)$/gim),
    ...text.matchAll(/<Repository>(.*)<\/Repository>/g),
  ].map(([, image]) => image);
  const others = ['umbrel-app.yml', 'meta.json', 'Chart.yaml'];
  const expected = path.endsWith('.xml') ? [built] : [variable];
  expect(images).toEqual(others.some((name) => path.endsWith(name)) ? [] : expected);
  expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1|aso\.example\.org|api:|\[IP\])/);
});

test('the chart names that image, too', async () => {
  const { image } = await readYaml<{ image: object }>('helm/toprung/values.yaml');
  expect(image).toMatchObject({ repository: 'toprung', tag: '' });
});

test('the image has the Node of package.json', async () => {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const node = /^ARG NODE_IMAGE=\S+node:([\d.]+)-bookworm-slim$/m.exec(dockerfile)?.[1];
  expect(node).toBe(packageJson.devDependencies.node);
});

/** Binaries of glibc, which the image has. */
test('each binary that the image needs exists for both architectures', () => {
  const packages = Object.entries(
    packageLock.packages as Record<
      string,
      { os?: string[]; cpu?: string[]; libc?: string[]; dev?: boolean }
    >,
  ).filter(([, entry]) => entry.os?.includes('linux') && !entry.dev);
  const namesFor = (cpu: string) =>
    packages
      .filter(([name, entry]) => entry.cpu?.includes(cpu) && !/musl|eabi/.test(name))
      .map(([name]) => name.replace(cpu, 'CPU'))
      .toSorted();
  expect(namesFor('x64').length).toBeGreaterThan(1);
  expect(namesFor('arm64')).toEqual(namesFor('x64'));
});

test('the template of Unraid is XML, and names settings that exist', async (context) => {
  const names = [
    ...(await readOps('catalogues/unraid/toprung.xml')).matchAll(/Target="([A-Z_]+)"/g),
  ];
  expect(names.length).toBeGreaterThan(3);
  for (const [, name] of names) expect(Object.keys(settings)).toContain(name);
  if (!hasPrograms(['python3'], 'the template of Unraid is not parsed'))
    return context.skip('no python3 here');
  const program = 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])';
  await run('python3', ['-c', program, join(root, 'ops/catalogues/unraid/toprung.xml')]);
});

test('the template of Dokploy is TOML, and sets what its compose file reads', async (context) => {
  if (!hasPrograms(['python3'], 'the template of Dokploy is not parsed'))
    return context.skip('no python3 here');
  const program =
    'import sys, json, tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))))';
  const path = join(root, 'ops/catalogues/dokploy/template.toml');
  const template = JSON.parse(await run('python3', ['-c', program, path])) as {
    config: { env: Record<string, string>; domains: { serviceName: string; port: number }[] };
  };
  expect(template.config.domains).toMatchObject([{ serviceName: 'toprung', port: 3000 }]);
  const compose = await readOps('catalogues/dokploy/docker-compose.yml');
  const read = [...compose.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(template.config.env).toSorted()).toEqual(read.toSorted());
});

/** A log without a limit fills the disk on which the database is. */
test('the log of each container is rotated at 10 MB, and three files are kept', async () => {
  for (const path of files.filter((path) => /catalogues.*(compose|coolify)|single/.test(path))) {
    const { services } = await readYaml<{ services: Record<string, { logging?: object }> }>(path);
    for (const [name, { logging }] of Object.entries(services))
      if (name !== 'app_proxy')
        expect([path, logging]).toEqual([
          path,
          { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
        ]);
  }
  expect(await readOps('catalogues/unraid/toprung.xml')).toContain(
    ' --log-driver json-file --log-opt max-size=10m --log-opt max-file=3<',
  );
});

test('every setting in the environment of a compose file exists', async () => {
  const known = [
    ...Object.keys(settings),
    'POSTGRES_USER',
    'POSTGRES_DB',
    'POSTGRES_PASSWORD',
    'TZ',
  ];
  for (const path of files.filter((path) => /compose|coolify/.test(path))) {
    const { services } = await readYaml<{
      services: Record<string, { environment?: Record<string, string> | string[] }>;
    }>(path);
    const names = Object.entries(services)
      .filter(([name]) => name !== 'app_proxy')
      .flatMap(([, { environment = {} }]) =>
        Array.isArray(environment)
          ? environment.map((line) => line.split('=')[0]!)
          : Object.keys(environment),
      )
      .filter((name) => name !== '<<' && !name.startsWith('SERVICE_'));
    expect([path, names.filter((name) => !known.includes(name))]).toEqual([path, []]);
  }
});
