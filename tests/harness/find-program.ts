import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of servers are not in the PATH of every user. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** The path of a program; undefined without it. */
export const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find(existsSync);
