import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { respond, type SimulatedResponse } from './response.ts';

/** Recorded responses of stores are kept next to the repository, never in it. */
const recordingsRoot = resolve(import.meta.dirname, '../../../shared/fixtures');

/**
 * `?fixture=android/search/panda.html` on any path of a store returns that recording unchanged, or
 * 404.
 */
export function serveRecording(name: string): SimulatedResponse {
  const file = resolve(recordingsRoot, name);
  if (!file.startsWith(recordingsRoot + sep) || !existsSync(file))
    return respond(404, 'text', 'no such recording');
  const type = file.endsWith('.html') ? 'html' : file.endsWith('.json') ? 'script' : 'text';
  return respond(200, type, readFileSync(file));
}
