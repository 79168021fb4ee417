import { execFileSync } from 'node:child_process';
import { findProgram } from './find-program.ts';

export const openssl = findProgram('openssl');

/** Writes a certificate of `localhost` that nobody has signed, and its key. */
export function createCertificate(certificate: string, key: string): void {
  const form = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync(openssl!, ['req', ...form.split(' '), ...names, ...files], { stdio: 'ignore' });
}
