import { mayBeText } from './may-be-text.ts';
import { damaged, readRecords } from './read-records.ts';
import {
  crc32Of,
  endRecord,
  isHeader,
  moveRecord,
  newRecords,
  recordBytes,
} from './zip-records.ts';
import { ZipError } from './zip-error.ts';

/** The server reads no more. */
const maxTexts = 5_000;

export interface TextsZip {
  zip: Blob;
  /** Numbers of files. */
  texts: number;
  others: number;
}

/**
 * A zip of the texts of another zip, or of a folder: their records and packed bytes are copied as
 * they are, and nothing is unpacked. Memory has the list of files, and no picture is read. Runs
 * in browsers too. Throws ZipError.
 */
export async function copyTexts(zip: Blob): Promise<TextsZip> {
  const parts: BlobPart[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  const records = await readRecords(zip);
  for (const record of records) {
    if (!mayBeText(record.name)) continue;
    const head = await zip.slice(record.offset, record.offset + recordBytes.header).arrayBuffer();
    const view = new DataView(head);
    if (head.byteLength < recordBytes.header || !isHeader(view)) throw damaged(record.name);
    const headerBytes = recordBytes.header + view.getUint16(26, true) + view.getUint16(28, true);
    const end = record.offset + headerBytes + record.packed;
    if (end > zip.size) throw damaged(record.name);
    parts.push(zip.slice(record.offset, end));
    list.push(moveRecord(record, offset));
    offset += end - record.offset;
  }
  const files = records.filter(({ name }) => !name.endsWith('/')).length;
  return toZip(parts, list, { offset, files });
}

export interface FolderFile {
  /** With `/`, from the folder above the chosen one. */
  path: string;
  file: File;
}

/** The same for the files of a folder. A file that cannot be read rejects. */
export async function zipTexts(files: readonly FolderFile[]): Promise<TextsZip> {
  const parts: BlobPart[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, file } of files) {
    if (!mayBeText(path)) continue;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const packed = await deflate(bytes);
    const { header, record } = newRecords({
      name: new TextEncoder().encode(path),
      crc: crc32Of(bytes),
      packed: packed.size,
      unpacked: bytes.length,
      modifiedAt: new Date(file.lastModified),
      offset,
    });
    parts.push(header, packed);
    list.push(record);
    offset += header.length + packed.size;
  }
  return toZip(parts, list, { offset, files: files.length });
}

function toZip(
  parts: readonly BlobPart[],
  list: readonly Uint8Array<ArrayBuffer>[],
  { offset, files }: { offset: number; files: number },
): TextsZip {
  if (list.length > maxTexts)
    throw new ZipError('too_many_files', null, 'Zip the folder of one listing.');
  const listBytes = list.reduce((bytes, record) => bytes + record.length, 0);
  const end = endRecord(list.length, listBytes, offset);
  return {
    zip: new Blob([...parts, ...list, end], { type: 'application/zip' }),
    texts: list.length,
    others: files - list.length,
  };
}

const deflate = (bytes: Uint8Array<ArrayBuffer>): Promise<Blob> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))).blob();
