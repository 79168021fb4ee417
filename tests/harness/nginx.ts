import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate, openssl } from './certificate.ts';
import { findProgram } from './find-program.ts';
import type { TestProxy } from './test-proxy.ts';
import { until } from './load-recorder.ts';

const nginxProgram = findProgram('nginx');

/** Whether nginx over TLS can be tested here; a line says what is missing. */
export function hasNginx(): boolean {
  if (nginxProgram !== undefined && openssl !== undefined) return true;
  console.log('nginx or openssl is not installed: its example is not tested.');
  return false;
}

/** nginx with the documented example, on a port and for a certificate of this run. */
export async function startNginx(port: number, webUrl: string): Promise<TestProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-nginx-'));
  const [certificate, key] = [join(folder, 'localhost.pem'), join(folder, 'localhost.key')];
  createCertificate(certificate, key);
  const example = new URL('../../ops/reverse-proxy/nginx.conf', import.meta.url);
  const site = (await readFile(example, 'utf8'))
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replaceAll('/etc/ssl/example.org', join(folder, 'localhost'))
    .replaceAll('127.0.0.1:3000', webUrl.startsWith('unix:') ? `${webUrl}:` : new URL(webUrl).host);
  await writeFile(join(folder, 'site.conf'), site);
  await writeFile(join(folder, 'nginx.conf'), describeServer(folder));
  const child = spawn(nginxProgram!, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await until(async () => existsSync(join(folder, 'nginx.pid')), 60_000, 'nginx');
  return {
    ca: await readFile(certificate, 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

/** Everything that nginx writes is in the folder. */
const describeServer = (folder: string): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n  ')}
  include ${folder}/site.conf;
}
`;
