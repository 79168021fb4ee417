import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { SheetError, type StoredFile } from '#domain/base/ports/spreadsheets.ts';
import { sheetLimits } from './limits.ts';

const chunkBytes = 256 * 1024;

/** Gives yauzl a stored file. */
class StoredFileReader extends RandomAccessReader {
  readonly #file: StoredFile;

  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#read(start, end), { objectMode: false });
  }

  async *#read(start: number, end: number): AsyncGenerator<Buffer> {
    for (let from = start; from < end; from += chunkBytes)
      yield this.#file.read(from, Math.min(end, from + chunkBytes));
  }
}

/** The parts of a workbook. Only requested ones are unpacked. */
export class WorkbookArchive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the list of parts. Throws SheetError. */
  static async open(file: StoredFile): Promise<WorkbookArchive> {
    try {
      const reader = new StoredFileReader(file);
      const zip = await fromRandomAccessReaderPromise(reader, file.bytes, { autoClose: false });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= sheetLimits.entries)
          throw new SheetError('damaged', 'The archive has too many parts for a workbook.');
        entries.set(entry.fileName, entry);
      }
      return new WorkbookArchive(zip, entries);
    } catch (error) {
      throw asSheetError(error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The unpacked chunks of a part of at most `bytesMax`. Throws SheetError. */
  async *unpack(name: string, bytesMax: number): AsyncGenerator<Buffer> {
    const entry = this.#find(name, bytesMax);
    try {
      // It fails when more bytes come out than the archive states.
      yield* (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
    } catch (error) {
      throw asSheetError(error);
    }
  }

  sizeOf(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  #find(name: string, bytesMax: number): Entry {
    const entry = this.#entries.get(name);
    if (!entry) throw damaged(`the part ${name} is missing`);
    if (entry.isEncrypted())
      throw new SheetError('encrypted', 'The file has a password. Save it without one.');
    const { compressedSize, uncompressedSize } = entry;
    const isBomb =
      uncompressedSize > sheetLimits.smallBytes &&
      uncompressedSize > sheetLimits.ratio * compressedSize;
    if (uncompressedSize > bytesMax || isBomb)
      throw new SheetError(
        'too_large',
        `The part ${name} unpacks to ${Math.ceil(uncompressedSize / 1024 / 1024)} MB, which is ` +
          'more than a monthly file has.',
      );
    return entry;
  }
}

export function damaged(why: string, cause?: unknown): SheetError {
  return new SheetError('damaged', `The workbook is damaged: ${why}. Download it again.`, cause);
}

/** Errors of a stored file that cannot be read are not the fault of the file. */
function asSheetError(error: unknown): unknown {
  if (error instanceof SheetError) return error;
  const isOfArchive = error instanceof Error && !('severity' in error);
  return isOfArchive ? damaged('its archive cannot be read', error) : error;
}
