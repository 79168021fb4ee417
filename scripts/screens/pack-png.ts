import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureBytes = 8;
/** Besides its data a chunk has its length, its name and its sum, of four bytes each. */
const chunkFrame = 12;

/** The same picture in fewer bytes: a browser compresses quickly, and adds metadata. */
export function packPng(png: Buffer): Buffer {
  const head: Buffer[] = [];
  const pixels: Buffer[] = [];
  for (let at = signatureBytes; at < png.length; at += png.readUInt32BE(at) + chunkFrame) {
    const name = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (name === 'IDAT') pixels.push(data);
    else if (name === 'IHDR' || name === 'PLTE' || name === 'tRNS')
      head.push(writeChunk(name, data));
  }
  const packed = deflateSync(inflateSync(Buffer.concat(pixels)), { level: 9, memLevel: 9 });
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    ...head,
    writeChunk('IDAT', packed),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function writeChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const chunk = Buffer.alloc(data.length + chunkFrame);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), data.length + 8);
  return chunk;
}
