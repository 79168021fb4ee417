import { ZipError } from './zip-error.ts';

/** Reads a stream piece by piece, and keeps no more of it than the piece that is read. */
export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #maxBytes: number;
  #buffered: Buffer = Buffer.alloc(0);
  #received = 0;

  constructor(stream: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#pieces = stream[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** The number of bytes that were taken. */
  get position(): number {
    return this.#received - this.#buffered.length;
  }

  /** The bytes that are there, at least one; null at the end. Throws ZipError for too many. */
  async next(): Promise<Buffer | null> {
    if (this.#buffered.length === 0 && !(await this.#receive())) return null;
    const piece = this.#buffered;
    this.#buffered = Buffer.alloc(0);
    return piece;
  }

  /** Puts bytes back, so that they are taken next. */
  unread(bytes: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? bytes : Buffer.concat([bytes, this.#buffered]);
  }

  /** Throws ZipError when the stream ends before. */
  async take(bytes: number): Promise<Buffer> {
    const taken = await this.takeUpTo(bytes);
    if (taken.length < bytes) throw cutOff();
    return taken;
  }

  /** Fewer bytes at the end of the stream. */
  async takeUpTo(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = bytes;
    while (missing > 0) {
      const piece = await this.next();
      if (piece === null) break;
      pieces.push(piece.subarray(0, missing));
      if (piece.length > missing) this.unread(piece.subarray(missing));
      missing -= Math.min(missing, piece.length);
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  /** Throws ZipError when the stream ends before. */
  async discard(bytes: number): Promise<void> {
    for (let missing = bytes; missing > 0;) {
      const piece = await this.next();
      if (piece === null) throw cutOff();
      if (piece.length > missing) this.unread(piece.subarray(missing));
      missing -= Math.min(missing, piece.length);
    }
  }

  /** Leaves the stream as it is, so that its owner can discard what is left. */
  async release(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #receive(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      if (value.length === 0) continue;
      this.#received += value.length;
      if (this.#received > this.#maxBytes)
        throw new ZipError(
          'too_large',
          null,
          `The zip has more than ${Math.floor(this.#maxBytes / 1024 / 1024)} MB. Zip the folder ` +
            'of the texts alone.',
        );
      this.#buffered = Buffer.from(value.buffer, value.byteOffset, value.length);
      return true;
    }
  }
}

const cutOff = (): ZipError =>
  new ZipError('damaged', null, 'The zip is cut off. Send all of it again.');
