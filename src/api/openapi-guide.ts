import { readFileSync } from 'node:fs';
import { resolveSource } from '#lib/resolve-source.ts';

/** The pages of the reference that belong to no operation, for `info.description`. */
export const guide = readFileSync(resolveSource('#api/openapi-guide.md'), 'utf8').trim();
