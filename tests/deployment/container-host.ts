import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../harness/load-recorder.ts';
import { run, type RunOptions } from './programs.ts';

export const containerPrograms = ['buildah', 'podman', 'runc', 'debootstrap', 'docker-compose'];

/**
 * Images, containers, networks and volumes of one test run, apart from those of the machine. Podman
 * runs them, and docker-compose reaches it as it would reach Docker.
 */
export interface ContainerHost {
  folder: string;
  buildah(...args: string[]): Promise<string>;
  podman(...args: string[]): Promise<string>;
  /** docker-compose, in the repository. */
  compose(args: readonly string[], options?: RunOptions): Promise<string>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

export async function createContainerHost(): Promise<ContainerHost> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-containers-'));
  const storage = ['--root', `${folder}/storage`, '--runroot', `${folder}/run`];
  const networks = join(folder, 'networks');
  await mkdir(networks);
  const configuration = join(folder, 'containers.conf');
  await writeFile(configuration, await describeLimits());
  const env = { CONTAINERS_CONF: configuration };
  const flags = [...storage, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
  const podmanFlags = [...flags, '--network-config-dir', networks, '--log-level', 'error'];
  const podman = (...args: string[]) =>
    run('podman', [...podmanFlags, ...args], { env, withErrors: args[0] === 'logs' });
  const socket = `unix://${folder}/podman.sock`;
  const service = spawn('podman', [...podmanFlags, 'system', 'service', '--time', '0', socket], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const exited = new Promise((resolve) => service.once('exit', resolve));
  const docker = { DOCKER_HOST: socket, COMPOSE_HTTP_TIMEOUT: '600' };
  const compose: ContainerHost['compose'] = (args, options = {}) =>
    run('docker-compose', args, { ...options, env: { ...docker, ...options.env } });
  const isUp = () => run('podman', ['--remote', '--url', socket, 'version']).then(() => true);
  await until(() => isUp().catch(() => false), 60_000, 'the service of podman');
  return {
    folder,
    buildah: (...args) => run('buildah', [...storage, ...args]),
    podman,
    compose,
    remove: async () => {
      await podman('rm', '--all', '--force', '--time', '5');
      await podman('volume', 'rm', '--all', '--force');
      await podman('network', 'prune', '--force');
      service.kill('SIGTERM');
      await exited;
      await podman('system', 'reset', '--force').catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Podman asks for more open files and processes than a sandbox may allow. Of its networks only
 * those of netavark have names for containers.
 */
async function describeLimits(): Promise<string> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const hardLimit = (name: string) => {
    const found = new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(limits)?.[1];
    return Math.min(20_000, Number(found ?? 20_000));
  };
  const [files, processes] = [hardLimit('Max open files'), hardLimit('Max processes')];
  return `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=${processes}:${processes}"]
[network]
network_backend = "netavark"
`;
}
