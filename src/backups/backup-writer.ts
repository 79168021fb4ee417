import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';
import { draftPathOf } from './backup-paths.ts';
import { footer, header } from './frames.ts';
import { formatVersion, type Manifest, type StoredTable } from './manifest.ts';
import { RowMeter } from './row-meter.ts';

const options = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/**
 * Writes a backup under a temporary name; `publish` gives it its own. A killed process leaves only
 * the temporary file, which a later backup removes.
 */
export class BackupWriter {
  /** The path until it is published. */
  readonly draft: string;
  private readonly path: string;
  private readonly file: FileHandle;
  private readonly tables: StoredTable[] = [];
  private offset = 0;

  private constructor(path: string, draft: string, file: FileHandle) {
    this.draft = draft;
    this.path = path;
    this.file = file;
  }

  /** Only the owner can read the file. */
  static async create(path: string): Promise<BackupWriter> {
    const draft = draftPathOf(path);
    const writer = new BackupWriter(path, draft, await open(draft, 'wx', 0o600));
    await writer.write(header());
    return writer;
  }

  async addTable(
    { name, columns, partitions }: Pick<StoredTable, 'name' | 'columns' | 'partitions'>,
    rows: AsyncIterable<Buffer>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { offset } = this;
    const meter = new RowMeter();
    await pipeline(
      rows,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          meter.add(chunk);
          yield chunk;
        }
      },
      createZstdCompress(options),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await this.write(chunk);
      },
      { signal },
    );
    const length = this.offset - offset;
    this.tables.push({ name, columns, partitions, ...meter.finish(), offset, length });
  }

  /** Returns the manifest and the size of the file once all of it is on the disk. */
  async finish(
    facts: Omit<Manifest, 'format' | 'tables'>,
  ): Promise<{ manifest: Manifest; bytes: number }> {
    const manifest = { format: formatVersion, ...facts, tables: this.tables } as const;
    const frame = zstdCompressSync(JSON.stringify(manifest), options);
    const at = this.offset;
    await this.write(frame);
    await this.write(footer(frame, at));
    await this.file.sync();
    await this.file.close();
    return { manifest, bytes: this.offset };
  }

  /** Gives the finished file its name. Throws EEXIST when another file has it by now. */
  async publish(): Promise<void> {
    await moveWithoutReplacing(this.draft, this.path);
    await syncFolder(dirname(this.path));
  }

  /** Removes the temporary file. */
  async discard(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(this.draft, { force: true });
  }

  private async write(bytes: Uint8Array): Promise<void> {
    await this.file.writeFile(bytes);
    this.offset += bytes.length;
  }
}

/** Errors of file systems without hard links, such as those of some network shares. */
const lacksLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * A renamed file replaces another one, and a linked one does not. Instances that share a directory
 * may choose the same name in the same second.
 */
async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!lacksLinks.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return rename(from, to);
  }
  await rm(from);
}

/** The new name survives a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
