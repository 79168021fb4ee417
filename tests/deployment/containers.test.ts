import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../harness/free-port.ts';
import { until } from '../harness/load-recorder.ts';
import { signUpAt } from '../harness/product.ts';
import { draw } from '../harness/short-form.ts';
import { containerPrograms, createContainerHost, type ContainerHost } from './container-host.ts';
import { buildNodeImage, buildStoreImages, buildToprungImage, images } from './images.ts';
import { hasFiles, hasPrograms, isRoot, root, run } from './programs.ts';
import { listPositions, walkToPositions } from './walk-to-positions.ts';

const consequence = 'the image is not built, and the compose files are not started';
const networkPrograms = ['netavark', 'aardvark-dns'].map((name) => `/usr/lib/podman/${name}`);
const canRun =
  hasPrograms(containerPrograms, consequence) &&
  hasFiles(networkPrograms, consequence) &&
  isRoot(consequence);
const hasValkey = hasPrograms(['valkey-server'], 'compose.yml is started with Redis instead');
const setupToken = 'otters-row-home-by-seven';
/** As docs/containers.md restores it. */
const backup = '/backups/x.backup';
const restore = ['restore', '--replace', backup];
/** The compose file whose data are restored; both are in the long form. */
const restored = draw('restored compose files', 1, ['compose.single.yml', 'compose.yml']);

let host: ContainerHost;

/** A started compose file, with simulated stores instead of the real ones. */
interface Started {
  webUrl: string;
  simulatorUrl: string;
  compose(...args: string[]): Promise<string>;
  /** Adds a file of this folder to the next commands of compose. */
  addFile(name: string): void;
  /** The container of a service. */
  nameOf(service: string): string;
}

async function start(file: string, simulator: string, settings: string): Promise<Started> {
  const project = file.replace(/\W/g, '');
  const folder = join(host.folder, project);
  await mkdir(folder);
  await writeFile(join(folder, '.env'), settings);
  const [webPort, simulatorPort] = [await findFreePort(), await findFreePort()];
  const env = {
    TOPRUNG_IMAGE: images.toprung,
    POSTGRES_IMAGE: images.postgres,
    VALKEY_IMAGE: images.valkey,
    WEB_PORT: String(webPort),
    WEB_PUBLISH: `127.0.0.1:${webPort}`,
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATOR_SCRIPT: join(root, 'tests/deployment/simulator-in-container.ts'),
  };
  const files = ['--file', join(root, 'ops', file)];
  const addFile = (name: string) => void files.push('--file', join(root, 'tests/deployment', name));
  addFile(simulator);
  const compose = async (...args: string[]) => {
    const flags = ['--project-name', project, '--project-directory', folder, ...files];
    const stopChecking = ['run', 'up'].includes(args[0]!) ? checkHealth() : null;
    try {
      return await host.compose([...flags, ...args], { env });
    } finally {
      stopChecking?.();
    }
  };
  const nameOf = (service: string) => `${project}_${service}_1`;
  await compose('up', '--detach', '--no-build');
  const [webUrl, simulatorUrl] = [webPort, simulatorPort].map((port) => `http://127.0.0.1:${port}`);
  return { webUrl: webUrl!, simulatorUrl: simulatorUrl!, compose, addFile, nameOf };
}

/** Podman leaves the calls of health checks to systemd, which may be absent. */
function checkHealth(): () => void {
  let isStopped = false;
  void (async () => {
    while (!isStopped) {
      const names = (await host.podman('ps', '--format', '{{.Names}}')).split('\n').filter(Boolean);
      await Promise.all(names.map((name) => isHealthy(name)));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  return () => (isStopped = true);
}

const isHealthy = (name: string): Promise<boolean> =>
  host.podman('healthcheck', 'run', name).then(
    () => true,
    () => false,
  );

/** Throws with the container's log when it does not become healthy. */
async function waitForHealth(name: string): Promise<void> {
  await until(() => isHealthy(name), 180_000, `a healthy ${name}`).catch(async (error: Error) => {
    throw new Error(`${error.message}:\n${await readLog(name)}`);
  });
}

/** The log has both outputs of a container, and podman passes both on. */
const readLog = (name: string): Promise<string> => host.podman('logs', name);

/** What the kernel says about the first process of a container. */
async function readConfinement(name: string) {
  const status = await host.podman('exec', name, 'cat', '/proc/1/status');
  const read = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  const mounts = await host.podman('exec', name, 'cat', '/proc/1/mounts');
  return {
    uid: read('Uid'),
    capabilities: read('CapEff'),
    noNewPrivileges: read('NoNewPrivs'),
    root: / \/ \S+ (r[ow]),/.exec(mounts)?.[1],
  };
}

const confined = {
  uid: '1000',
  capabilities: '0000000000000000',
  noNewPrivileges: '1',
  root: 'ro',
};

describe.skipIf(!canRun)('containers', () => {
  /** Why this machine runs no containers, with all programs: its kernel or its mirror. */
  let obstacle: string | null = null;
  beforeAll(async () => {
    try {
      host = await createContainerHost();
      await buildNodeImage(host);
      await host.podman('run', '--rm', '--read-only', images.node, 'true');
    } catch (error) {
      obstacle = (error as Error).message;
      console.log(`No container runs here (${obstacle.slice(0, 300)}): ${consequence}.`);
      return;
    }
    await Promise.all([buildToprungImage(host), buildStoreImages(host)]);
  });
  beforeEach(({ skip }) => skip(obstacle !== null, 'no container runs here'));
  afterAll(() => (host as ContainerHost | undefined)?.remove());

  test('one container leads from sign-up to true positions, and keeps them', async () => {
    const started = await start(
      'compose.single.yml',
      'compose.simulator.yml',
      `SETUP_TOKEN=${setupToken}\n`,
    );
    const name = started.nameOf('toprung');
    await waitForHealth(name);
    expect(await readConfinement(name)).toEqual(confined);

    const api = `${started.webUrl}/api/backend`;
    await expect(signUpAt(api)).rejects.toThrow(/403.*setup token/s);
    const { client } = await signUpAt(api, setupToken);
    const positions = await walkToPositions(client, started.simulatorUrl);
    const cli = ['exec', name, 'node', '/app/src/cli/main.js'];
    expect(JSON.parse(await host.podman(...cli, 'doctor', '--json'))).toMatchObject({
      isWell: true,
    });

    const state = '{{.State.ExitCode}} {{.State.OOMKilled}}';
    await started.compose('stop', 'toprung');
    expect((await host.podman('inspect', '--format', state, name)).trim()).toBe('0 false');
    await started.compose('up', '--detach', '--no-build', '--force-recreate', 'toprung');
    await waitForHealth(name);
    expect(await listPositions(client)).toEqual(positions);
    if (restored.includes('compose.single.yml')) {
      await host.podman(...cli, 'backup', '--to', backup);
      await started.compose('stop', 'toprung');
      expect(await started.compose('run', '--rm', '-T', 'toprung', ...restore)).toContain(
        'into the data directory /data.',
      );
      await started.compose('up', '--detach', '--no-build');
      await waitForHealth(name);
      expect(await listPositions(client)).toEqual(positions);
    }
    const logs = await readLog(name);
    expect(logs).not.toMatch(/Building|runs from its sources|"level":"fatal"/);
    expect(logs).not.toContain(setupToken);
    await started.compose('down', '--volumes');
  });

  test('the users of Unraid and TrueNAS can run the embedded database', async () => {
    for (const user of ['99:100', '568:568']) {
      const name = `user-${user.split(':')[0]}`;
      const options = [
        '--detach',
        '--name',
        name,
        '--user',
        user,
        '--read-only',
        '--tmpfs',
        '/tmp',
      ];
      const folder = join(host.folder, name);
      await mkdir(folder);
      const [uid, gid] = user.split(':').map(Number);
      await chown(folder, uid!, gid!);
      await host.podman('run', ...options, '--volume', `${folder}:/data`, images.toprung);
      await waitForHealth(name);
      await host.podman('rm', '--force', name);
    }
  });

  test('several containers do the same, and only the web origin is published', async () => {
    const settings = {
      POSTGRES_PASSWORD: 'd4b7c19f30e2a586',
      AUTH_SECRET: '1f0c6d8e2b7a4953817e6d5c4b3a2910',
      ENCRYPTION_KEY: '9a8b7c6d5e4f30211203f4e5d6c7b8a9',
      INSECURE_COOKIES: 'true',
      SETUP_TOKEN: setupToken,
    };
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
    const started = await start('compose.yml', 'compose.split-simulator.yml', lines.join(''));
    const roles = ['web', 'api', 'worker'];
    for (const role of roles) {
      const name = started.nameOf(role);
      await waitForHealth(name);
      expect([role, await readConfinement(name)]).toEqual([role, confined]);
    }
    const { client } = await signUpAt(`${started.webUrl}/api/backend`, setupToken);
    const positions = await walkToPositions(client, started.simulatorUrl);
    const { queue } = await client('GET /health');
    expect(queue).toMatchObject({ backend: 'redis', ok: true, capBytes: 192 * 1024 ** 2 });
    const cli = ['exec', started.nameOf('valkey'), 'valkey-cli', 'info', 'server'];
    const server = hasValkey ? /^server_name:valkey/m : /^redis_version:/m;
    expect(await host.podman(...cli)).toMatch(server);

    for (const service of ['api', 'worker', 'postgres', 'valkey'])
      expect([service, await host.podman('port', started.nameOf(service))]).toEqual([service, '']);
    for (const service of ['postgres', 'valkey'])
      expect([service, await hasDefaultRoute(started.nameOf(service))]).toEqual([service, false]);
    expect(await hasDefaultRoute(started.nameOf('worker'))).toBe(true);
    const webSettings = await host.podman('exec', started.nameOf('web'), 'env');
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY', 'POSTGRES_PASSWORD'])
      expect(webSettings).not.toContain(settings[name as keyof typeof settings] ?? name);

    await host.podman('stop', started.nameOf('valkey'));
    expect(await isHealthy(started.nameOf('worker'))).toBe(false);
    await host.podman('start', started.nameOf('valkey'));
    await until(() => isHealthy(started.nameOf('worker')), 60_000, 'the worker to recover');
    const worker = ['exec', started.nameOf('worker'), 'node', '/app/src/cli/main.js'];
    await host.podman(...worker, 'backup', '--to', backup);
    started.addFile('compose.same-network.yml');
    await started.compose('stop', ...roles);
    const exitCodes = roles.map((role) =>
      host.podman('inspect', '--format', '{{.State.ExitCode}}', started.nameOf(role)),
    );
    expect((await Promise.all(exitCodes)).map(Number)).toEqual([0, 0, 0]);
    if (restored.includes('compose.yml')) {
      expect(await started.compose('run', '--rm', '-T', 'worker', ...restore)).toContain(
        'into the database of DATABASE_URL.',
      );
      await started.compose('exec', '-T', 'valkey', 'valkey-cli', 'flushall');
      await started.compose('up', '--detach', '--no-build');
      for (const role of roles) await waitForHealth(started.nameOf(role));
      expect(await listPositions(client)).toEqual(positions);
    }
    await started.compose('down', '--volumes');
  });

  test('systemd runs the whole product, confined by its unit', async () => {
    await run('npm', ['run', 'build']);
    const options = ['--detach', '--name', 'machine', '--privileged', '--systemd=always'];
    const checkout = ['--volume', `${root}:/opt/toprung:ro`];
    await host.podman('run', ...options, ...checkout, images.node, '/sbin/init');
    const machine = (...command: string[]) => host.podman('exec', 'machine', ...command);
    const isUp = () => machine('systemctl', 'is-active', 'dbus.socket').then(() => true);
    await until(() => isUp().catch(() => false), 60_000, 'systemd');
    const units = '/opt/toprung/ops/systemd';
    await machine('cp', `${units}/toprung.sysusers.conf`, '/usr/lib/sysusers.d/toprung.conf');
    await machine('systemd-sysusers');
    await machine('cp', `${units}/toprung.service`, '/etc/systemd/system/');
    await machine('mkdir', '/etc/toprung');
    const settings = 'BACKUP_DIR=/var/lib/toprung/backups';
    await machine('sh', '-c', `echo ${settings} > /etc/toprung/toprung.env`);
    await machine('systemctl', 'start', 'toprung');
    const health = ['env', 'HEALTH_SOCKET=/run/toprung/health.sock'];
    const node = ['/opt/toprung/node_modules/.bin/node', '/opt/toprung/src/cli/main.js', 'health'];
    const asToprung = ['setpriv', '--reuid=toprung', '--regid=toprung', '--clear-groups'];
    const isWell = () => machine(...asToprung, ...health, ...node).then(() => true);
    await until(() => isWell().catch(() => false), 120_000, 'the service').catch(async (error) => {
      throw new Error(`${error}:\n${await machine('journalctl', '--unit', 'toprung')}`);
    });
    const read = async (name: string) =>
      (await machine('systemctl', 'show', '--value', '--property', name, 'toprung')).trim();
    const status = await machine('cat', `/proc/${await read('MainPID')}/status`);
    for (const line of [/^CapEff:\s+0+$/m, /^NoNewPrivs:\s+1$/m, /^Seccomp:\s+2$/m])
      expect(status).toMatch(line);
    // The first one is made at once.
    const findBackup = async () =>
      (await machine('find', '/var/lib/toprung', '-name', 'toprung-*.backup')).trim();
    await until(async () => (await findBackup()) !== '', 120_000, 'a backup');
    // Commands find the instance of the unit, while it runs and while it is stopped.
    await machine('install', `${units}/toprung.sh`, '/usr/local/bin/toprung');
    expect(await machine('toprung', 'reader', 'list')).toContain('There are no readers.');
    await machine('systemctl', 'stop', 'toprung');
    expect([await read('Result'), await read('ExecMainStatus')]).toEqual(['success', '0']);
    expect(await machine('toprung', 'restore', await findBackup())).toContain(
      'into the data directory /var/lib/toprung.',
    );

    await machine('sh', '-c', 'echo WEB_PORT=many > /etc/toprung/toprung.env');
    await machine('systemctl', 'start', 'toprung');
    await until(async () => (await read('ActiveState')) === 'failed', 30_000, 'the refusal');
    expect([await read('ExecMainStatus'), await read('NRestarts')]).toEqual(['78', '0']);
  });
});

async function hasDefaultRoute(name: string): Promise<boolean> {
  return /^\S+\s+00000000\s/m.test(await host.podman('exec', name, 'cat', '/proc/net/route'));
}
