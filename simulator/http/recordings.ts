import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { respond, type SimulatedResponse } from './response.ts';

/** Recorded answers lie beside the project, never in it. */
const recordingsRoot = resolve(import.meta.dirname, '../../../shared/fixtures');

/**
 * `?fixture=android/search/panda.html` on any store path: that recording, byte for byte; 404
 * without the folder.
 */
export function serveRecording(name: string): SimulatedResponse {
  const file = resolve(recordingsRoot, name);
  if (!file.startsWith(recordingsRoot + sep) || !existsSync(file))
    return respond(404, 'text', 'no such recording');
  const type = file.endsWith('.html') ? 'html' : file.endsWith('.json') ? 'script' : 'text';
  return respond(200, type, readFileSync(file));
}
