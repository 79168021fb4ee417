import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate, openssl } from './certificate.ts';
import { findProgram } from './find-program.ts';
import { until } from './load-recorder.ts';
import type { TestProxy } from './test-proxy.ts';

const caddyProgram = findProgram('caddy');

/** Whether Caddy over TLS can be tested here; a line says what is missing. */
export function hasCaddy(): boolean {
  if (caddyProgram !== undefined && openssl !== undefined) return true;
  console.log('caddy or openssl is not installed: its example is not tested.');
  return false;
}

/** Caddy with the documented example, on a port and for a certificate of this run. */
export async function startCaddy(port: number, webUrl: string): Promise<TestProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-caddy-'));
  const [certificate, key] = [join(folder, 'localhost.pem'), join(folder, 'localhost.key')];
  createCertificate(certificate, key);
  const example = new URL('../../ops/reverse-proxy/Caddyfile', import.meta.url);
  const site = (await readFile(example, 'utf8'))
    .replace('example.org {', `https://localhost:${port} {\n\ttls ${certificate} ${key}`)
    .replace('127.0.0.1:3000', new URL(webUrl).host);
  const options = '{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n';
  const file = join(folder, 'Caddyfile');
  await writeFile(file, options + site);
  const child = spawn(caddyProgram!, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    // Everything that it writes is in the folder.
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await until(() => listensOn(port), 20_000, 'caddy');
  return {
    ca: await readFile(certificate, 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

function listensOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
