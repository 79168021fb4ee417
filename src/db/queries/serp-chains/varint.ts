/** A position in bytes that moves on as numbers are read. */
export interface NumberReader {
  bytes: Buffer;
  at: number;
}

/** In bytes of seven bits, the lowest first. Up to 2^53, so no bitwise operators. */
export function pushNumber(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
}

/** Throws a RangeError when the bytes end before the number. */
export function readNumber(reader: NumberReader): number {
  let [value, factor] = [0, 1];
  for (;;) {
    const byte = reader.bytes.readUInt8(reader.at);
    reader.at += 1;
    value += (byte % 128) * factor;
    if (byte < 128) return value;
    factor *= 128;
  }
}
