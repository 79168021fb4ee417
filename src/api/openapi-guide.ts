import { readFileSync } from 'node:fs';

/** The pages of the reference that belong to no operation, for `info.description`. */
export const guide = readFileSync(new URL('./openapi-guide.md', import.meta.url), 'utf8').trim();
