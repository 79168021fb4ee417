import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The path of a file of ours, also for the server build: `#db/migrations/hashes.json`. */
export const resolveSource = (name: `#${string}`): string => resolve(name);
