import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { answer, type Answer } from './answer.ts';

/** Recorded answers lie beside the project, never in it. */
export const recordingsRoot = resolve(import.meta.dirname, '../../../shared/fixtures');

/** `?fixture=android/search/panda.html` on any store path: that recording, byte for byte; 404 without the folder. */
export function answerRecording(name: string): Answer {
  const file = resolve(recordingsRoot, name);
  if (!file.startsWith(recordingsRoot + sep) || !existsSync(file))
    return answer(404, 'text', 'no such recording');
  const type = file.endsWith('.html') ? 'html' : file.endsWith('.json') ? 'script' : 'text';
  return answer(200, type, readFileSync(file));
}
