/** Messages of Protocol Buffers by the numbers of their fields, as the wire has them. */
export class Message {
  private readonly fields = new Map<number, (Buffer | bigint)[]>();

  constructor(bytes: Buffer) {
    let at = 0;
    const varint = (): bigint => {
      for (let value = 0n, shift = 0n; ; shift += 7n) {
        const byte = bytes.readUInt8(at++);
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    const take = (length: number): Buffer => {
      if (at + length > bytes.length) throw new Error('the message is cut off');
      at += length;
      return bytes.subarray(at - length, at);
    };
    const read = (wire: number): Buffer | bigint => {
      if (wire === 0) return varint();
      if (wire === 1) return take(8);
      if (wire === 2) return take(Number(varint()));
      if (wire === 5) return take(4);
      throw new Error(`there is no wire type ${wire}`);
    };
    while (at < bytes.length) {
      const tag = Number(varint());
      const known = this.fields.get(tag >> 3) ?? [];
      this.fields.set(tag >> 3, [...known, read(tag & 7)]);
    }
  }

  bytes(field: number): Buffer {
    return (this.fields.get(field)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0);
  }

  text(field: number): string {
    return this.bytes(field).toString('utf8');
  }

  number(field: number): number | null {
    const value = this.fields.get(field)?.at(-1);
    if (value === undefined) return null;
    return typeof value === 'bigint' ? Number(value) : value.readDoubleLE();
  }

  all(field: number): Message[] {
    return (this.fields.get(field) ?? []).map((value) => new Message(value as Buffer));
  }

  one(field: number): Message {
    return new Message(this.bytes(field));
  }
}
