import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Recorded responses of the real stores. They are outside the repository and never copied into it.
 */
const folder = join(import.meta.dirname, '../../../shared/fixtures');
export const hasRecordings = existsSync(join(folder, 'INDEX.md'));

if (!hasRecordings)
  console.warn('SKIPPED: the tests on recorded store answers, as ../shared/fixtures is absent');

export function readRecording(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}
