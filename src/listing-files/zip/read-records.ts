import { recordBytes, viewOf, type ZipRecord } from './zip-records.ts';
import { ZipError } from './zip-error.ts';
import { signatures } from './zip-signatures.ts';

/** More is in no folder that a person zips. */
const maxFilesInBrowser = 100_000;
/** The limit for the list of files. */
const maxListBytes = 64 * 1024 * 1024;
const maxCommentBytes = 0xffff;
const end64Bytes = 56;
const locator64Bytes = 20;

/**
 * The records of the files of a zip of any size, of which only the list is read. Runs in browsers
 * too. Throws ZipError.
 */
export async function readRecords(zip: Blob): Promise<ZipRecord[]> {
  const { files, offset, bytes } = await findList(zip);
  if (files > maxFilesInBrowser)
    throw new ZipError('too_many_files', null, 'Zip the folder of the listing alone.');
  if (bytes > maxListBytes || offset + bytes > zip.size) throw damaged();
  const list = await readBytes(zip, offset, bytes);
  const view = viewOf(list);
  const records: ZipRecord[] = [];
  let at = 0;
  for (let file = 0; file < files; file += 1) {
    if (at + recordBytes.record > list.length || view.getUint32(at, true) !== signatures.directory)
      throw damaged();
    const lengths = [28, 30, 32].map((part) => view.getUint16(at + part, true));
    const end = at + recordBytes.record + lengths[0]! + lengths[1]! + lengths[2]!;
    if (end > list.length) throw damaged();
    records.push(readRecord(list.slice(at, end), lengths[0]!, lengths[1]!));
    at = end;
  }
  return records;
}

function readRecord(
  bytes: Uint8Array<ArrayBuffer>,
  nameLength: number,
  extraLength: number,
): ZipRecord {
  const view = viewOf(bytes);
  const nameEnd = recordBytes.record + nameLength;
  const name = bytes.subarray(recordBytes.record, nameEnd);
  const wide = findWide(bytes.slice(nameEnd, nameEnd + extraLength));
  let at = 0;
  const widen = (value: number): number => {
    if (value !== 0xffffffff) return value;
    at += 8;
    if (wide.byteLength < at) throw damaged();
    return Number(wide.getBigUint64(at - 8, true));
  };
  // In the order in which the field with wide numbers has them.
  widen(view.getUint32(24, true));
  const packed = widen(view.getUint32(20, true));
  const offset = widen(view.getUint32(42, true));
  // Names in older character sets are those of no text, as all of these are in ASCII.
  return { name: new TextDecoder().decode(name), offset, packed, bytes };
}

function findWide(extra: Uint8Array<ArrayBuffer>): DataView {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) return viewOf(extra.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return viewOf(new Uint8Array());
}

async function findList(zip: Blob): Promise<{ files: number; offset: number; bytes: number }> {
  const start = Math.max(0, zip.size - maxCommentBytes - recordBytes.end - locator64Bytes);
  const tail = await readBytes(zip, start, zip.size - start);
  const view = viewOf(tail);
  for (let at = tail.length - recordBytes.end; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== signatures.end) continue;
    if (at + recordBytes.end + view.getUint16(at + 20, true) !== tail.length) continue;
    const found = {
      files: view.getUint16(at + 10, true),
      bytes: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
    const locator = at - locator64Bytes;
    const isWide = locator >= 0 && view.getUint32(locator, true) === signatures.locator64;
    return isWide ? readEnd64(zip, Number(view.getBigUint64(locator + 8, true))) : found;
  }
  const head = await readBytes(zip, 0, Math.min(2, zip.size));
  if (head[0] === 0x50 && head[1] === 0x4b) throw damaged();
  throw new ZipError('not_a_zip', null, 'The file is not a zip.');
}

async function readEnd64(zip: Blob, at: number) {
  if (at + end64Bytes > zip.size) throw damaged();
  const view = viewOf(await readBytes(zip, at, end64Bytes));
  if (view.getUint32(0, true) !== signatures.end64) throw damaged();
  const [files, bytes, offset] = [32, 40, 48].map((part) => Number(view.getBigUint64(part, true)));
  return { files: files!, bytes: bytes!, offset: offset! };
}

const readBytes = async (zip: Blob, at: number, bytes: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await zip.slice(at, at + bytes).arrayBuffer());

export const damaged = (file: string | null = null): ZipError =>
  new ZipError('damaged', file, 'The zip is damaged. Make it again.');
