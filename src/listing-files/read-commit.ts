import { spawn } from 'node:child_process';
import { CommandError } from '#lib/command-error.ts';
import { collapseWhiteSpace, printable } from '#lib/text.ts';
import { findListings } from './formats.ts';
import type { FormatName } from './listing.ts';
import {
  folderLimits,
  isReadPath,
  readListings,
  tooLong,
  type FolderListing,
  type ReadText,
} from './read-listings.ts';

/**
 * The listings of a folder as a commit of its repository has them; none when it has no such folder.
 * Throws CommandError for an unknown commit.
 */
export async function readCommit(
  folder: string,
  reference: string,
  name?: FormatName,
): Promise<FolderListing[]> {
  const commit = await resolveCommit(folder, reference);
  const listed = await git(folder, ['ls-tree', '-r', '-z', '-l', commit, '.']);
  const ids = new Map<string, { id: string; bytes: number }>();
  const links: string[] = [];
  for (const entry of listed.toString('utf8').split('\0')) {
    const [mode = '', , id = '', size = ''] = entry.slice(0, entry.indexOf('\t')).split(/ +/);
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (!isReadPath(path)) continue;
    if (mode === '120000') links.push(path);
    else if (mode.startsWith('100')) ids.set(path, { id, bytes: Number(size) });
    if (ids.size + links.length > folderLimits.entries)
      throw new CommandError(
        `${folder} has more than ${folderLimits.entries} files in ${reference}.`,
      );
  }
  const paths = [...ids.keys()].toSorted();
  const roots = findListings([...paths, ...links], name);
  const owned = paths.filter(
    (path) =>
      ids.get(path)!.bytes <= folderLimits.fileBytes &&
      roots.some(({ format, root }) => format.owns(root, path)),
  );
  if (owned.length > folderLimits.files)
    throw new CommandError(`${folder} has more texts than any listing in ${reference}.`);
  const texts = await readBlobs(
    folder,
    owned.map((path) => ids.get(path)!.id),
  );
  const read = async (file: string): Promise<ReadText> => {
    const text = texts.get(ids.get(file)!.id);
    return text === undefined ? tooLong(file) : { text };
  };
  return readListings(paths, links.toSorted(), read, name);
}

/** Texts by the ids of their blobs, read by one process. */
async function readBlobs(folder: string, ids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (ids.length === 0) return texts;
  const output = await git(folder, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  let at = 0;
  for (const id of ids) {
    const end = output.indexOf(10, at);
    const bytes = Number(output.subarray(at, end).toString().split(' ')[2]);
    texts.set(id, output.subarray(end + 1, end + 1 + bytes).toString('utf8'));
    at = end + 1 + bytes + 1;
  }
  return texts;
}

/** The id of a commit. A reference is no option, whatever its first character. */
async function resolveCommit(folder: string, reference: string): Promise<string> {
  const found = await git(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${reference}^{commit}`,
  ]).catch((error: unknown) => {
    // An unknown commit is the one failure that --quiet leaves without a reason.
    if (!(error instanceof GitError) || error.reason !== '') throw error;
    throw new CommandError(
      `${reference} is no folder and no commit of the repository of ${folder}. A shallow clone ` +
        'lacks it: fetch it, for example with fetch-depth: 0.',
    );
  });
  return found.toString('utf8').trim();
}

/** A failure of git, with its own message, which may be empty. */
class GitError extends CommandError {
  readonly reason: string;
  constructor(command: string, reason: string) {
    super(`git ${command} failed: ${reason}`);
    this.reason = reason;
  }
}

const maxOutputBytes = 64 * 1024 * 1024;

function git(folder: string, args: readonly string[], input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', folder, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    // A process that ends early closes the pipe; its exit code says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const parts: Buffer[] = [];
    let bytes = 0;
    let message = '';
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxOutputBytes) child.kill();
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => (message = (message + part.toString()).slice(-500)));
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(new CommandError(`git cannot be started (${error.code}). Install it.`)),
    );
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(parts))
        : reject(new GitError(args[0]!, collapseWhiteSpace(printable(message)))),
    );
  });
}
