import { signatures } from './zip-signatures.ts';

/** The record of a file in the list at the end of a zip; positions are in bytes. */
export interface ZipRecord {
  name: string;
  /** The position of the file's header in the zip. */
  offset: number;
  packed: number;
  /** The whole record. */
  bytes: Uint8Array<ArrayBuffer>;
}

export const recordBytes = { header: 30, record: 46, end: 22 } as const;

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export const isHeader = (view: DataView): boolean => view.getUint32(0, true) === signatures.file;

/** The record of a file whose header is somewhere else now. */
export function moveRecord({ bytes }: ZipRecord, offset: number): Uint8Array<ArrayBuffer> {
  const moved = bytes.slice();
  viewOf(moved).setUint32(42, offset, true);
  return moved;
}

/** The end of a zip with fewer than 65,536 files. */
export function endRecord(
  files: number,
  listBytes: number,
  offset: number,
): Uint8Array<ArrayBuffer> {
  const end = new Uint8Array(recordBytes.end);
  const view = viewOf(end);
  view.setUint32(0, signatures.end, true);
  view.setUint16(8, files, true);
  view.setUint16(10, files, true);
  view.setUint32(12, listBytes, true);
  view.setUint32(16, offset, true);
  return end;
}

interface NewFile {
  name: Uint8Array<ArrayBuffer>;
  crc: number;
  packed: number;
  unpacked: number;
  modifiedAt: Date;
  offset: number;
}

/** The header and the record of a deflated file with a name in UTF-8. */
export function newRecords(file: NewFile): Record<'header' | 'record', Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(recordBytes.header + file.name.length);
  viewOf(header).setUint32(0, signatures.file, true);
  writeCommon(viewOf(header), 4, file);
  header.set(file.name, recordBytes.header);
  const record = new Uint8Array(recordBytes.record + file.name.length);
  const view = viewOf(record);
  view.setUint32(0, signatures.directory, true);
  // Made by version 2.0 of the format on Unix, so that the access bits count.
  view.setUint16(4, 0x0314, true);
  writeCommon(view, 6, file);
  view.setUint32(38, (0o100_644 << 16) >>> 0, true);
  view.setUint32(42, file.offset, true);
  record.set(file.name, recordBytes.record);
  return { header, record };
}

/** From the version that reads it to the length of the name. */
function writeCommon(
  view: DataView,
  at: number,
  { name, crc, packed, unpacked, modifiedAt }: NewFile,
): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, 0x0800, true);
  view.setUint16(at + 4, 8, true);
  const [date, time] = toDosTime(modifiedAt);
  view.setUint16(at + 6, time, true);
  view.setUint16(at + 8, date, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, packed, true);
  view.setUint32(at + 18, unpacked, true);
  view.setUint16(at + 22, name.length, true);
}

/** In UTC, because no zone is stored. */
function toDosTime(instant: Date): [date: number, time: number] {
  const year = Math.min(2_107, Math.max(1_980, instant.getUTCFullYear()));
  return [
    ((year - 1_980) << 9) | ((instant.getUTCMonth() + 1) << 5) | instant.getUTCDate(),
    (instant.getUTCHours() << 11) | (instant.getUTCMinutes() << 5) | (instant.getUTCSeconds() >> 1),
  ];
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Browsers have no CRC-32. */
export function crc32Of(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}
