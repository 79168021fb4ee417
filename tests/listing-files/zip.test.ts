import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { formatOf } from '#listing-files/formats.ts';
import { formatNames } from '#listing-files/listing.ts';
import { readZip, zipLimits } from '#listing-files/zip/read-zip.ts';
import { writeZip } from '#listing-files/zip/write-zip.ts';
import { readZipListings } from '#listing-files/zip/zip-listings.ts';
import { goldenFolders, type Files } from './golden-folders.ts';

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
  /** What the zip says about the unpacked size. */
  stated?: number;
  crc?: number;
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
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), head, tail, name);
    offset += 30 + name.length + packed.length;
  }
  const index = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, index, Buffer.from('PK\x05\x06'), end]);
}

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

test.each<[string, RawEntry]>([
  ['more bytes than it says', { name: 'a', content: mebibyte, stated: 10 }],
  ['fewer bytes than it says', { name: 'a', stated: 10_000 }],
  ['another checksum', { name: 'a', crc: 1 }],
])('a file with %s is damaged', async (_name, entry) => {
  const [read] = await readZip(forge([entry]));
  await expect(read!.unpack()).rejects.toMatchObject({ fault: 'damaged', file: 'a' });
});
