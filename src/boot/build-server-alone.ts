/** The entry of a process that builds the server, and returns all memory that this takes. */
import { buildServer } from './build-server.ts';

await buildServer((line) => process.stdout.write(`${line}\n`));
