type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'shift_jis';

const byteOrderMarks: readonly [readonly number[], Encoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
const kana = /[\u3040-\u30ff]/;
const sampledBytes = 4_096;

/**
 * Recognizes the encoding of a text, of which `isCut` has only the beginning. A byte order mark
 * decides; without one the text is UTF-8 if it can be, Shift-JIS if it then has kana, and else
 * Windows-1252.
 */
export function detectEncoding(bytes: Uint8Array, { isCut }: { isCut: boolean }): Encoding {
  const marked = byteOrderMarks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return marked[1];
  const sample = bytes.subarray(0, sampledBytes);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  // Latin characters in UTF-16 have a zero in every second byte.
  if (zeros[1]! > sample.length / 8 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > sample.length / 8 && zeros[1] === 0) return 'utf-16be';
  if (decodesAs('utf-8', bytes, isCut) !== null) return 'utf-8';
  return kana.test(decodesAs('shift_jis', bytes, isCut) ?? '') ? 'shift_jis' : 'windows-1252';
}

function decodesAs(encoding: Encoding, bytes: Uint8Array, isCut: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}
