import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { formatOf } from '#listing-files/formats.ts';
import { formatNames, type FormatName } from '#listing-files/listing.ts';
import { copyTexts, zipTexts } from '#listing-files/zip/copy-texts.ts';
import { mayBeText } from '#listing-files/zip/may-be-text.ts';
import { readZipStream, zipStreamLimits } from '#listing-files/zip/read-zip-stream.ts';
import { readZip, zipLimits, type ZipEntry } from '#listing-files/zip/read-zip.ts';
import { ZipError } from '#listing-files/zip/zip-error.ts';
import { writeZip } from '#listing-files/zip/write-zip.ts';
import { readZipListings } from '#listing-files/zip/zip-listings.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { goldenFolders, type Files } from './golden-folders.ts';

const mutants = process.env.TORTURE ? 5_000 : 100;
const then = new Date('2026-03-04T05:06:08Z');
const now = new Date('2026-11-27T00:00:00Z');

function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { mtime: then, mode: 0o100_640 });
  zip.end();
  return buffer(zip.outputStream);
}

async function unzip(zip: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { name, unpack } of await readZip(zip)) files[name] = (await unpack()).toString();
  return files;
}

interface RawEntry {
  name: string | Buffer;
  content?: Buffer;
  flags?: number;
  method?: number;
  attributes?: number;
  /** The unpacked size, as the zip says. */
  stated?: number;
  crc?: number;
  /** The name in the list at the end. */
  listed?: string;
}

/** A zip that no honest tool writes. */
function forge(entries: readonly RawEntry[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = entry.content ?? Buffer.from('text');
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(content) : content;
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(entry.flags ?? 0, 2);
    head.writeUInt16LE(method, 4);
    head.writeUInt32LE(entry.crc ?? crc32(content), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(entry.stated ?? content.length, 18);
    head.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.attributes ?? 0) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04'), head, name, packed);
    const listed = Buffer.from(entry.listed ?? entry.name);
    const listedHead = Buffer.from(head);
    listedHead.writeUInt16LE(listed.length, 22);
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), listedHead, tail, listed);
    offset += 30 + name.length + packed.length;
  }
  const index = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 4);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, index, Buffer.from('PK\x05\x06'), end]);
}

/** The same zip, read in pieces of a few bytes, as a network may bring them. */
async function* inPieces(zip: Buffer, bytes = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < zip.length; at += bytes) yield zip.subarray(at, at + bytes);
}
const readStream = (zip: Buffer, bytes?: number) => readZipStream(inPieces(zip, bytes), mayBeText);
const asBlob = (zip: Buffer) => new Blob([new Uint8Array(zip)]);
const blobOf = async (zip: Blob) => Buffer.from(await zip.arrayBuffer());

/** A zip with sizes behind the files, as tools that write to a pipe make it. */
async function pipedZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addReadStream(Readable.from([Buffer.from(content)]), name, {
      mtime: then,
      mode: 0o100_640,
    });
  zip.end();
  return buffer(zip.outputStream);
}

const texts = (name: FormatName): Record<string, string> =>
  Object.fromEntries(Object.entries(goldenFolders[name]).filter(([path]) => mayBeText(path)));

test.each(formatNames)('of a large zip of %s the texts alone are read', async (name) => {
  const noise = randomBytes(200_000);
  const files = { 'screens/1.png': noise, ...goldenFolders[name], 'screens/2.json.png': noise };
  const expected = texts(name);
  // No listing is found that was not found before, and no file of one is lost.
  const known = await readZipListings(await readZip(await zipOf(goldenFolders[name])));
  const packed = await zipOf(files);
  const copy = await copyTexts(asBlob(packed));
  expect([copy.texts, copy.others]).toEqual([
    Object.keys(expected).length,
    Object.keys(files).length - Object.keys(expected).length,
  ]);
  const piped = await pipedZip(files);
  for (const entries of [
    await readStream(packed, 5_000),
    await readStream(piped, 5_000),
    await readZip(await blobOf(copy.zip)),
    await readZip(await blobOf((await copyTexts(asBlob(piped))).zip)),
  ]) {
    const read: Record<string, string> = {};
    for (const entry of entries) {
      read[entry.name] = (await entry.unpack()).toString();
      expect([entry.mode, entry.isFolder]).toEqual([0o640, false]);
      expect(Math.abs(entry.modifiedAt.getTime() - then.getTime())).toBeLessThan(86_400_000);
    }
    expect(read).toEqual(expected);
    expect((await readZipListings(entries)).map(({ listing }) => listing)).toEqual(
      known.map(({ listing }) => listing),
    );
  }
  expect(JSON.stringify(expected)).not.toMatch(/demo_password/);
});

test.each(formatNames)('a folder of %s is zipped with its texts alone', async (name) => {
  const files = Object.entries(goldenFolders[name]).map(([path, text]) => ({
    path: `chosen/${path}`,
    file: new File([text], path, { lastModified: then.getTime() }),
  }));
  const { zip } = await zipTexts([
    ...files,
    { path: 'chosen/picture.png', file: new File([randomBytes(9)], 'picture.png') },
  ]);
  const entries = await readZip(await blobOf(zip));
  const read: Record<string, string> = {};
  for (const entry of entries) read[entry.name] = (await entry.unpack()).toString();
  const expected = Object.entries(texts(name)).map(([path, text]) => [`chosen/${path}`, text]);
  expect(read).toEqual(Object.fromEntries(expected));
  expect(entries.every(({ mode }) => mode === 0o644)).toBe(true);
  expect((await readStream(await blobOf(zip))).length).toBe(entries.length);
});

test('a large zip is read in pieces of any size, also with a comment and wide sizes', async () => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('One'), 'en-US/name.txt', { forceZip64Format: true });
  zip.addReadStream(Readable.from([Buffer.from('Two')]), 'en-US/subtitle.txt', {
    forceZip64Format: true,
  });
  zip.addEmptyDirectory('en-US/empty');
  zip.end({ forceZip64Format: true, comment: 'made by hand' });
  const packed = await buffer(zip.outputStream);
  for (const bytes of [1, 3, 16, 1_000]) {
    const [one, two, ...others] = await readStream(packed, bytes);
    expect(others).toEqual([]);
    expect([await one!.unpack(), await two!.unpack()].map(String)).toEqual(['One', 'Two']);
  }
  expect((await copyTexts(asBlob(packed))).texts).toBe(2);
  expect(await unzip(await blobOf((await copyTexts(asBlob(packed))).zip))).toEqual({
    'en-US/name.txt': 'One',
    'en-US/subtitle.txt': 'Two',
  });
  expect(await readStream(await zipOf({}))).toEqual([]);
});

test('100 MB of pictures cost no memory', async () => {
  const picture = randomBytes(1024 * 1024);
  const head = await zipOf({ 'en-US/subtitle.txt': 'Small steps' });
  async function* stream(): AsyncGenerator<Buffer> {
    // Files that the list at the end does not have were deleted by a tool.
    for (let at = 100; at < 200; at += 1) {
      yield localHead(`${at}.png`, { method: 0, bytes: picture.length });
      yield picture;
    }
    yield moveBy(head, 100 * (localHead('100.png', {}).length + picture.length));
  }
  let most = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const piece of stream()) {
      most = Math.max(most, process.memoryUsage().arrayBuffers);
      yield piece;
    }
  }
  const before = process.memoryUsage().arrayBuffers;
  const [text, ...others] = await readZipStream(measured(), mayBeText);
  expect([String(await text!.unpack()), others]).toEqual(['Small steps', []]);
  expect(most - before).toBeLessThan(16 * 1024 * 1024);
});

test('a large zip that inflates to more than its limit is refused while it is read', async () => {
  const zeros = Buffer.alloc(1024 * 1024);
  const bomb = deflateRawSync(zeros);
  async function* stream(): AsyncGenerator<Buffer> {
    for (let at = 0; at < 40; at += 1) {
      yield localHead(`${at}.png`, { flags: 8 });
      yield bomb;
      yield descriptor(bomb.length, zeros.length, crc32(zeros));
    }
  }
  const inflatedBytes = 10 * zeros.length;
  const limits = { ...zipStreamLimits, inflatedBytes };
  await expect(readZipStream(stream(), mayBeText, limits)).rejects.toMatchObject({
    fault: 'too_large',
    file: '10.png',
  });
  expect(zipStreamLimits.inflatedBytes).toBe(2 * zipStreamLimits.bytes);
});

test('a text that is a bomb is not unpacked', async () => {
  const zeros = Buffer.alloc(30 * 1024 * 1024);
  const name = 'en-US/subtitle.txt';
  const [hidden] = await readStream(forge([{ name, content: zeros, stated: 10 }]), 5_000);
  await expect(hidden!.unpack()).rejects.toMatchObject({ fault: 'damaged', file: name });
  const [stated] = await readStream(forge([{ name, content: zeros }]), 5_000);
  const ended = await stated!.unpack().then(
    ({ length }) => length,
    ({ fault }: ZipError) => fault,
  );
  expect(ended).toBe('damaged');
  const open = await readZipListings(await readStream(forge([{ name, content: zeros }]), 5_000));
  expect(open[0]!.listing.faults).toMatchObject([{ file: name }]);
  const piped = await pipedZip({ 'en-US/subtitle.txt': zeros });
  const [found] = await readZipListings(await readStream(piped, 5_000));
  expect(found!.listing.faults[0]!.message).toContain('more than 1048576 bytes');
});

test.each(formatNames)('a zip of %s keeps every byte that does not change', async (name) => {
  const picture = Buffer.from([0x89, 0x50, 0xff, 0x00, 0x0a]);
  const packed = await zipOf({ ...goldenFolders[name], 'pictures/ä 1.png': picture });
  const entries = await readZip(packed);
  const [found, ...others] = await readZipListings(entries);
  expect([found!.listing.format, others]).toEqual([name, []]);
  const { listing, texts } = found!;
  const [locale, own] = [...listing.locales].find(([, one]) => one.title)!;
  const same = [{ locale, field: 'title', value: own.title!.value } as const];
  const unchanged = await writeZip(entries, formatOf(name).change(listing, texts, same), now);
  expect(await unzip(unchanged)).toEqual(await unzip(packed));
  const edits = [{ locale, field: 'title', value: 'Another title' } as const];
  const changes = formatOf(name).change(listing, texts, edits);
  const changed = await readZip(await writeZip(entries, changes, now));
  const file = own.title!.file;
  for (const [at, entry] of changed.entries()) {
    const before = entries[at]!;
    const isChanged = entry.name === file;
    expect([entry.name, entry.mode]).toEqual([before.name, 0o640]);
    expect(entry.modifiedAt).toEqual(isChanged ? now : then);
    expect((await entry.unpack()).equals(await before.unpack())).toBe(!isChanged);
  }
  expect((await changed.find((one) => one.name === file)!.unpack()).toString()).toContain(
    'Another title',
  );
});

test('new files come last, removed ones are left out', async () => {
  const files: Files = { 'en-US/subtitle.txt': 'One\n', 'en-US/keywords.txt': 'a,b\n' };
  const entries = await readZip(await zipOf(files));
  const written = await writeZip(
    entries,
    [
      { file: 'en-US/subtitle.txt', text: null },
      { file: 'de-DE/subtitle.txt', text: 'Zwei\n' },
    ],
    now,
  );
  expect(Object.entries(await unzip(written))).toEqual([
    ['en-US/keywords.txt', 'a,b\n'],
    ['de-DE/subtitle.txt', 'Zwei\n'],
  ]);
});

test('folders of systems and of other tools have no listing', async () => {
  const entries = await readZip(
    await zipOf({
      'play/release-notes/en-US/default.txt': 'Notes',
      '__MACOSX/play/release-notes/en-US/._default.txt': 'attributes',
      'node_modules/x/en-US/subtitle.txt': 'x',
      '.git/en-US/subtitle.txt': 'x',
    }),
  );
  const found = await readZipListings(entries);
  expect(found.map(({ listing: { format, root } }) => [format, root])).toEqual([
    ['gradle-play-publisher', 'play'],
  ]);
});

test('names without the mark of UTF-8 are read as macOS and DOS write them', async () => {
  const zip = forge([{ name: 'é.txt' }, { name: Buffer.from([0x82, 0x2e, 0x74, 0x78, 0x74]) }]);
  // Both are the same name, which a folder has once.
  await expect(readZip(zip)).rejects.toMatchObject({ fault: 'duplicate_name', file: 'é.txt' });
});

/** The header of a file as it comes first in a zip. */
function localHead(
  name: string,
  { flags = 0, method = 8, bytes = 0 }: { flags?: number; method?: number; bytes?: number },
): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(bytes, 18);
  head.writeUInt32LE(bytes, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name)]);
}

function descriptor(packed: number, unpacked: number, crc: number): Buffer {
  const bytes = Buffer.from('PK\x07\x08............');
  [crc, packed, unpacked].forEach((value, at) => bytes.writeUInt32LE(value, 4 + 4 * at));
  return bytes;
}

/** A zip of one file that comes after other bytes. */
function moveBy(zip: Buffer, bytes: number): Buffer {
  const moved = Buffer.from(zip);
  const list = moved.readUInt32LE(moved.length - 6);
  moved.writeUInt32LE(moved.readUInt32LE(list + 42) + bytes, list + 42);
  moved.writeUInt32LE(list + bytes, moved.length - 6);
  return moved;
}

const link = 0o120_777;
const fifo = 0o010_644;
const mebibyte = Buffer.alloc(1024 * 1024);
const many = Array.from({ length: zipLimits.entries + 1 }, (_, at) => ({ name: `${at}.txt` }));
test.each<[string, string, Buffer]>([
  ['text', 'not_a_zip', Buffer.from('not a zip at all')],
  ['one byte', 'not_a_zip', Buffer.from('P')],
  ['a cut zip', 'damaged', forge([{ name: 'a.txt' }]).subarray(0, 40)],
  ['a parent folder', 'unsafe_path', forge([{ name: '../a.txt' }])],
  ['a parent folder inside', 'unsafe_path', forge([{ name: 'a/../../b.txt' }])],
  ['an absolute path', 'unsafe_path', forge([{ name: '/etc/passwd' }])],
  ['a drive', 'unsafe_path', forge([{ name: 'C:a.txt' }])],
  ['a backslash', 'unsafe_path', forge([{ name: 'en-US\\name.txt' }])],
  ['a null character', 'unsafe_path', forge([{ name: 'a\0.txt' }])],
  ['an empty name', 'unsafe_path', forge([{ name: '' }])],
  ['a long name', 'unsafe_path', forge([{ name: `${'x'.repeat(1_001)}` }])],
  ['a symbolic link', 'not_a_file', forge([{ name: 'en-US/name.txt', attributes: link }])],
  ['a pipe', 'not_a_file', forge([{ name: 'en-US/name.txt', attributes: fifo }])],
  ['a password', 'encrypted', forge([{ name: 'a.txt', flags: 1 }])],
  ['another compression', 'unknown_compression', forge([{ name: 'a.txt', method: 12 }])],
  ['one name twice', 'duplicate_name', forge([{ name: 'a.txt' }, { name: 'a.txt' }])],
  ['a file that is a folder', 'duplicate_name', forge([{ name: 'a' }, { name: 'a/' }])],
  ['two forms of a name', 'duplicate_name', forge([{ name: '\u00e9' }, { name: 'e\u0301' }])],
  ['too many files', 'too_many_files', forge(many)],
  [
    'too many bytes',
    'too_large',
    forge(Array.from({ length: 33 }, (_, at) => ({ name: `${at}`, content: mebibyte }))),
  ],
])('a zip with %s is refused as %s', async (_name, fault, zip) => {
  await expect(readZip(zip)).rejects.toMatchObject({ name: 'ZipError', fault });
});

const text = { name: 'en-US/name.txt' };
const manyTexts = many.map(({ name }) => ({ name: `en-US/changelogs/1${name}` }));
const hundredThousand = Array.from({ length: 100_000 }, (_, at) => ({
  name: `screens/${at}.png`,
  content: Buffer.alloc(0),
  method: 0,
}));
const whole = forge([{ name: 'a.png' }, text]);
test.each<[string, string, Buffer]>([
  ['text', 'not_a_zip', Buffer.from('not a zip at all')],
  ['nothing', 'not_a_zip', Buffer.alloc(0)],
  ['bytes behind its end', 'damaged', Buffer.concat([whole, Buffer.from('x')])],
  ['another list than its files', 'damaged', forge([{ ...text, listed: 'de-DE/name.txt' }])],
  ['a text that only the list has', 'damaged', forge([{ name: 'a.png', listed: text.name }])],
  ['a parent folder', 'unsafe_path', forge([{ name: '../en-US/name.txt' }])],
  ['a parent folder of a picture', 'unsafe_path', forge([{ name: '../a.png' }])],
  ['an absolute path', 'unsafe_path', forge([{ name: '/etc/name.txt' }])],
  ['a backslash', 'unsafe_path', forge([{ name: 'en-US\\name.txt' }])],
  ['a text that is a symbolic link', 'not_a_file', forge([{ ...text, attributes: link }])],
  ['a text that is a pipe', 'not_a_file', forge([{ ...text, attributes: fifo }])],
  ['a password', 'encrypted', forge([{ ...text, flags: 1 }])],
  ['a password and sizes behind the files', 'encrypted', forge([{ ...text, flags: 9 }])],
  ['another compression', 'unknown_compression', forge([{ ...text, method: 12 }])],
  ['one name twice', 'duplicate_name', forge([text, text])],
  ['100,000 files', 'too_many_files', forge(hundredThousand)],
  ['too many texts', 'too_many_files', forge(manyTexts)],
])('a large zip with %s is refused as %s', async (_name, fault, zip) => {
  await expect(readStream(zip, 50_000)).rejects.toMatchObject({ name: 'ZipError', fault });
});

test('a large zip that is cut off anywhere is refused', async () => {
  for (let bytes = 4; bytes < whole.length; bytes += 1)
    await expect(readStream(whole.subarray(0, bytes))).rejects.toMatchObject({
      name: 'ZipError',
      fault: 'damaged',
    });
  const piped = await pipedZip({ 'a.png': 'picture', 'en-US/name.txt': 'Name' });
  for (let bytes = 4; bytes < piped.length; bytes += 1)
    await expect(readStream(piped.subarray(0, bytes))).rejects.toMatchObject({ fault: 'damaged' });
});

test('links, passwords and other compressions of skipped files do not matter', async () => {
  const zip = forge([
    text,
    { name: 'a.png', attributes: link },
    { name: 'b.png', flags: 1 },
    { name: 'c.png', method: 12 },
    { name: 'review_information/demo_password.txt' },
  ]);
  for (const entries of [
    await readStream(zip),
    await readZip(await blobOf((await copyTexts(asBlob(zip))).zip)),
  ])
    expect(entries.map(({ name }) => name)).toEqual([text.name]);
});

test('what a browser takes from a hostile zip is refused by the server', async () => {
  const refused = async (zip: Buffer) =>
    readZip(await blobOf((await copyTexts(asBlob(zip))).zip)).then(
      () => null,
      ({ fault }: { fault: string }) => fault,
    );
  expect(await refused(forge([{ name: 'C:/en-US/name.txt' }]))).toBe('unsafe_path');
  expect((await copyTexts(asBlob(forge([{ name: '../en-US/name.txt' }])))).texts).toBe(0);
  expect(await refused(forge([{ ...text, attributes: link }]))).toBe('not_a_file');
  expect(await refused(forge([{ ...text, flags: 1 }]))).toBe('encrypted');
  // More pictures than a server accepts are only names to it.
  expect((await copyTexts(asBlob(forge(hundredThousand.slice(0, 20_000))))).texts).toBe(0);
  for (const [zip, fault] of [
    [Buffer.from('no zip'), 'not_a_zip'],
    [Buffer.alloc(0), 'not_a_zip'],
    [whole.subarray(0, 60), 'damaged'],
    [whole.subarray(10), 'damaged'],
  ] as const)
    await expect(copyTexts(asBlob(zip))).rejects.toMatchObject({ fault });
});

test('a mutated zip is refused, or has the same texts for every reader', async () => {
  const files = { 'a.png': 'picture', 'en-US/name.txt': 'Name', 'en-US/keywords.txt': 'a,b,c,d' };
  const random = createSeededRandom(7);
  const below = (limit: number) => Math.floor(random() * limit);
  const read = async (entries: Promise<readonly ZipEntry[]>) => {
    try {
      const found: Record<string, string> = {};
      for (const { name, unpack } of await entries)
        if (mayBeText(name)) found[name] = String(await unpack());
      return found;
    } catch (error) {
      // Anything else would be a fault of the server.
      expect(error).toBeInstanceOf(ZipError);
      return null;
    }
  };
  let same = 0;
  for (const zip of [await zipOf(files), await pipedZip(files)])
    for (let round = 0; round < mutants; round += 1) {
      const mutated = Buffer.from(zip);
      for (let change = 0; change <= below(3); change += 1)
        mutated[below(mutated.length)] = below(256);
      const streamed = await read(readStream(mutated, 64));
      const listed = await read(readZip(mutated));
      const copied = await read(
        copyTexts(asBlob(mutated)).then(async (copy) => readZip(await blobOf(copy.zip))),
      );
      if (streamed === null) continue;
      // Whatever the stream accepts, the list at the end says too.
      if (listed) expect(streamed).toEqual(listed);
      if (copied) expect(streamed).toEqual(copied);
      same += 1;
    }
  expect(same).toBeGreaterThan(30);
});

test.each<[string, RawEntry]>([
  ['more bytes than it says', { name: 'a', content: mebibyte, stated: 10 }],
  ['fewer bytes than it says', { name: 'a', stated: 10_000 }],
  ['another checksum', { name: 'a', crc: 1 }],
])('a file with %s is damaged', async (_name, entry) => {
  const [read] = await readZip(forge([entry]));
  await expect(read!.unpack()).rejects.toMatchObject({ fault: 'damaged', file: 'a' });
});
