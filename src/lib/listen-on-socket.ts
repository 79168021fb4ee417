import { chmod, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { SetupError } from './setup-error.ts';

interface Listener {
  listen(options: { path: string }): Promise<string>;
}

/** The path is wrong, which a restart does not change. */
const wrongPathCodes = ['EACCES', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'];

/**
 * Listens on a Unix socket that its user and group may open; replaces one that is left over.
 * `setting` names the path in errors. Throws SetupError for a path at which nothing can listen.
 */
export async function listenOnSocket(app: Listener, path: string, setting: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isSocket()) throw new SetupError(`${path} is not a socket.`);
  if (found !== null && (await isUsed(path)))
    throw new SetupError(`Another process listens on ${path}. Stop it, or change ${setting}.`);
  try {
    await rm(path, { force: true });
    await app.listen({ path });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !wrongPathCodes.includes(code)) throw error;
    throw new SetupError(
      `${setting} cannot be ${path}: its directory must exist, and this process must be able to ` +
        'write to it.',
    );
  }
  await chmod(path, 0o660);
}

function isUsed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}
