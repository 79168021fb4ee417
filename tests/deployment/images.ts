import { chmod, cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findBinaryPackage, installBinaries } from '#embedded-postgres/binaries.ts';
import type { ContainerHost } from './container-host.ts';
import { findProgram } from '../harness/find-program.ts';
import { root, run } from './programs.ts';

export const images = {
  node: 'localhost/toprung-test-node',
  toprung: 'localhost/toprung-test',
  postgres: 'localhost/toprung-test-postgres',
  valkey: 'localhost/toprung-test-valkey',
};

/**
 * Debian with Node and npm, as the official image of Node is made: debootstrap from the mirror that
 * apt uses, and both programs from the npm registry. Redis and systemd are for other tests.
 */
export async function buildNodeImage(host: ContainerHost): Promise<void> {
  const base = join(host.folder, 'base');
  const packages = '--include=ca-certificates,dbus,redis-server,systemd-sysv';
  await run('debootstrap', ['--variant=minbase', packages, 'bookworm', base, await findMirror()]);
  await mkdir(join(base, 'usr/local/bin'), { recursive: true });
  await cp(join(root, 'node_modules/node/bin/node'), join(base, 'usr/local/bin/node'));
  const npm = `npm@${(await run('npm', ['--version'])).trim()}`;
  await run('npm', ['install', '--silent', '--global', '--prefix', join(base, 'usr/local'), npm]);
  await commit(host, base, images.node);
}

/** The Dockerfile as it is, with the cache, registry and certificates of this machine's npm. */
export async function buildToprungImage(host: ContainerHost): Promise<void> {
  const settings = join(host.folder, 'npmrc');
  await writeFile(settings, await describeNpm());
  const mounts = [`${await readNpm('cache')}:/root/.npm`, `${settings}:/root/.npmrc:ro`];
  const [certificates, cafile] = ['/etc/ssl/certs', await readNpm('cafile')];
  const others = cafile.startsWith(`${certificates}/`) ? [] : [cafile];
  for (const path of [certificates, ...others])
    if (existsSync(path)) mounts.push(`${path}:${path}:ro`);
  await host.buildah(
    'build',
    '--format',
    'docker',
    '--runtime',
    'runc',
    '--network',
    'host',
    '--build-arg',
    `NODE_IMAGE=${images.node}`,
    ...mounts.flatMap((mount) => ['--volume', mount]),
    '--tag',
    images.toprung,
    root,
  );
}

const readNpm = async (name: string): Promise<string> =>
  (await run('npm', ['config', 'get', name])).trim();

/** Settings of the user, and the global ones that a container needs to reach the registry. */
async function describeNpm(): Promise<string> {
  const own = await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => '');
  const names = ['registry', 'cafile'];
  const values = await Promise.all(names.map(readNpm));
  const lines = names.map((name, index) => `${name}=${values[index]}`);
  const known = lines.filter((line) => !/=(null|undefined)?$/.test(line));
  return [own, ...known, 'prefer-offline=true', 'fetch-retries=1', ''].join('\n');
}

/**
 * PostgreSQL 18 and Valkey, or Redis, instead of the official images, which need a registry of
 * images: the servers are real, and understand the settings of ops/compose.yml that reach them.
 */
export async function buildStoreImages(host: ContainerHost): Promise<void> {
  const folder = join(host.folder, 'postgres');
  await mkdir(folder);
  const bin = await installBinaries(await findBinaryPackage(), folder);
  await symlink(bin.slice(folder.length), join(folder, 'pg-bin'));
  const scripts = { entrypoint: postgresEntrypoint, pg_isready: postgresIsReady };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  await commit(host, folder, images.postgres, images.node, [
    '--entrypoint',
    '["/entrypoint"]',
    '--env',
    'PATH=/pg-bin:/usr/bin:/bin:/',
  ]);
  const programs = join(host.folder, 'valkey');
  await mkdir(join(programs, 'usr/local/bin'), { recursive: true });
  await mkdir(join(programs, 'opt'));
  const pathOf = (name: string) => join(programs, name);
  await writeFile(pathOf('usr/local/bin/valkey-server'), valkeyServer, { mode: 0o755 });
  for (const [name, other] of Object.entries(valkeyPrograms)) {
    const own = findProgram(name);
    // Its libraries are those of Redis, which the base has.
    if (own !== undefined) await cp(await realpath(own), pathOf(`opt/${name}`));
    else await symlink(`/usr/bin/${other}`, pathOf(`opt/${name}`));
  }
  await symlink('/opt/valkey-cli', pathOf('usr/local/bin/valkey-cli'));
  await commit(host, programs, images.valkey, images.node, ['--workingdir', '/data']);
}

/** With what is used where Valkey is not installed. */
const valkeyPrograms = { 'valkey-server': 'redis-server', 'valkey-cli': 'redis-cli' };

const postgresEntrypoint = `#!/bin/sh
set -e
data=/var/lib/postgresql/18
if [ ! -e "$data" ]; then
  install --directory --owner=nobody --mode=0700 "$data"
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  chown nobody /tmp/password
  setpriv --reuid=nobody --clear-groups initdb -D "$data" -U "$POSTGRES_USER" \\
    --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  rm /tmp/password
  echo "create database $POSTGRES_DB" |
    setpriv --reuid=nobody --clear-groups postgres --single -D "$data" postgres
fi
exec setpriv --reuid=nobody --clear-groups "$@" -D "$data" -c listen_addresses='*' \\
  -c unix_socket_directories=
`;

const postgresIsReady = `#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/5432
`;

/** As in the official image, which other containers reach. */
const valkeyServer = `#!/bin/sh
exec /opt/valkey-server "$@" --protected-mode no
`;

async function commit(
  host: ContainerHost,
  folder: string,
  image: string,
  from = 'scratch',
  settings: readonly string[] = [],
): Promise<void> {
  const name = `working-${image.replace(/\W/g, '-')}`;
  await host.buildah('from', '--name', name, from);
  await host.buildah('copy', '--quiet', name, folder, '/');
  if (settings.length > 0) await host.buildah('config', ...settings, name);
  await host.buildah('commit', '--quiet', '--format', 'docker', '--rm', name, image);
}

/** The mirror of Debian that apt uses here. */
async function findMirror(): Promise<string> {
  const format = ['--format', '$(SITE) $(CODENAME)', 'Created-By: Packages'];
  const lines = (await run('apt-get', ['indextargets', ...format]).catch(() => '')).split('\n');
  const site = lines.find((line) => line.endsWith(' bookworm'))?.split(' ')[0];
  return site ?? 'http://deb.debian.org/debian';
}
