import { chmod, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { SetupError } from './setup-error.ts';

interface Listener {
  listen(options: { path: string }): Promise<string>;
}

/**
 * Listens on a Unix socket that its user and group may open; replaces one that is left over.
 * `setting` names the path in errors.
 */
export async function listenOnSocket(app: Listener, path: string, setting: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isSocket()) throw new SetupError(`${path} is not a socket.`);
  if (found !== null && (await isUsed(path)))
    throw new SetupError(`Another process listens on ${path}. Stop it, or change ${setting}.`);
  await rm(path, { force: true });
  await app.listen({ path });
  await chmod(path, 0o660);
}

function isUsed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}
