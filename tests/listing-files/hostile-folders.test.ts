import { chmod, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CommandError } from '#lib/command-error.ts';
import { formatOf } from '#listing-files/formats.ts';
import { maxFaults, type Edit, type FormatName } from '#listing-files/listing.ts';
import { readFolder } from '#listing-files/read-folder.ts';
import { folderLimits } from '#listing-files/read-listings.ts';
import { parseJsonText } from '#listing-files/json-text.ts';
import { writeFolder } from '#listing-files/write-folder.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { makeFolder, readFiles, type Files } from './golden-folders.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
async function make(files: Files): Promise<string> {
  const folder = await makeFolder(files);
  folders.push(folder);
  return folder;
}

const texts = { 'en-US/name.txt': 'Habits\n', 'en-US/subtitle.txt': 'Every day\n' };

test('a symbolic link is a fault with a remedy, and is never followed', async () => {
  const outside = await make({ 'secret.txt': 'secret of another folder' });
  const folder = await make(texts);
  await symlink(join(outside, 'secret.txt'), join(folder, 'en-US/keywords.txt'));
  await symlink(outside, join(folder, 'de-DE'));
  const [found] = await readFolder(folder);
  expect(JSON.stringify([...found!.texts])).not.toContain('secret of');
  expect(found!.listing.faults).toEqual([
    {
      file: 'en-US/keywords.txt',
      message: 'A symbolic link is not followed: replace it by the file',
    },
  ]);
  for (const file of ['en-US/keywords.txt', 'de-DE/name.txt']) {
    const write = writeFolder(folder, [
      { file: 'en-US/name.txt', text: 'Changed' },
      { file, text: 'Changed' },
    ]);
    await expect(write).rejects.toThrow(/symbolic link.*Replace it by a real one/);
  }
  expect(await readFiles(outside)).toEqual({ 'secret.txt': 'secret of another folder' });
  expect((await readFiles(folder))['en-US/name.txt']).toBe('Habits\n');
});

test.each([
  '../outside.txt',
  'en-US/../../outside.txt',
  '/etc/outside.txt',
  'en-US//name.txt',
  './name.txt',
  'en-US\\name.txt',
  'C:/name.txt',
  'en-US/na\0me.txt',
  '',
])('the path %j is refused, and nothing is written', async (file) => {
  const folder = await make(texts);
  const changes = [
    { file: 'en-US/name.txt', text: 'Changed' },
    { file, text: 'x' },
  ];
  await expect(writeFolder(folder, changes)).rejects.toThrow(CommandError);
  expect(await readFiles(folder)).toEqual(texts);
});

test('a change that the disk refuses names the path and what was written before', async () => {
  const folder = await make(texts);
  // Its name has more bytes than file systems accept, for every user.
  const refused = `${'習'.repeat(100)}/name.txt`;
  const change = { file: 'en-US/name.txt', text: 'Changed' };
  for (const text of ['x', null]) {
    const written = writeFolder(folder, [change, { file: refused, text }]);
    await expect(written).rejects.toThrow(CommandError);
    await expect(written).rejects.toThrow(
      /name\.txt could not be written \(ENAMETOOLONG\)\. Check its access.* 1 of 2 files was w/,
    );
  }
  await expect(writeFolder(folder, [{ file: refused, text: 'x' }])).rejects.toThrow(
    /No file was written/,
  );
  expect((await readFiles(folder))['en-US/name.txt']).toBe('Changed');
});

test('errors show no control character of a path', async () => {
  const folder = await make(texts);
  const write = writeFolder(folder, [{ file: 'x\u001b[2J\n::error::y/name.txt', text: 'x' }]);
  await expect(write).rejects.toThrow('"x [2J ::error::y/name.txt" is not a path inside');
});

test('a file that is too large, not UTF-8 or not JSON names itself and the remedy', async () => {
  const folder = await make({ ...texts, 'store.config.json': '{"apple": {"info": }}' });
  await writeFile(join(folder, 'en-US/keywords.txt'), Buffer.from([0x66, 0xff, 0xfe]));
  await writeFile(join(folder, 'en-US/description.txt'), '');
  await truncate(join(folder, 'en-US/description.txt'), folderLimits.fileBytes + 1);
  const faults = (await readFolder(folder)).flatMap(({ listing }) => listing.faults);
  expect(faults.map(({ file, message }) => `${file}: ${message}`).sort()).toEqual([
    `en-US/description.txt: The file has more than ${folderLimits.fileBytes} bytes: shorten it`,
    'en-US/keywords.txt: The file is not UTF-8: save it as UTF-8',
    'store.config.json: This is not JSON: a value is expected at character 20',
  ]);
});

test('asc: unknown keys, empty texts and other types are faults', async () => {
  const folder = await make({
    'app-info/en-US.json': '{"name":"Habits","subtitle":"","title":"x","privacyPolicyUrl":1}',
    'version/1.0/en-US.json': '{"description":"Text"} more',
  });
  const [found] = await readFolder(folder);
  expect(found!.listing.faults.map(({ message }) => message)).toEqual([
    'asc does not know the key "title": remove it',
    '"privacyPolicyUrl" must be a text: write it in double quotes',
    '"subtitle" is empty, which asc refuses: remove the key',
    'This is not JSON: the end of the file is expected at character 24',
  ]);
});

const keys = (key: string, times: number) => Array(times).fill(key).join(',');
const locales = Array.from({ length: 100 }, (_, at) => `l${at}`);
test.each<[string, FormatName, string, string]>([
  ['outer spaces', 'deliver', 'en-US/subtitle.txt', `x${' '.repeat(1_000_000)}x`],
  ['line ends', 'deliver', 'en-US/subtitle.txt', `${'\n'.repeat(500_000)}x${'a'.repeat(500_000)}`],
  ['one key', 'asc', 'app-info/en-US.json', `{${keys('"name":"x"\n', 80_000)}}`],
  ['empty texts', 'asc', 'app-info/en-US.json', `{${keys('"name":""', 80_000)}}`],
  ['unknown keys', 'asc', 'app-info/en-US.json', `{${keys('"":0', 200_000)}}`],
  [
    'one key of a locale',
    'eas',
    'store.config.json',
    `{"apple":{"info":{"l0":{${keys('"title":"x"\n', 80_000)}}}}}`,
  ],
  [
    'members of locales',
    'eas',
    'store.config.json',
    `{"apple":{"info":{${locales.map((name) => `"${name}":{${keys('"":0', 2_000)}}`).join(',')}}}}`,
  ],
])('a megabyte of %s is read and changed in time', (_name, tool, file, text) => {
  const format = formatOf(tool);
  const texts = new Map([[file, text]]);
  const edits = locales.flatMap((locale) =>
    format.fields.map((field): Edit => ({ locale, field, value: 'new' })),
  );
  const limitMs = 2_000;
  const cpuMs = cpuMsOf(() => {
    const listing = format.read('', texts);
    expect(listing.faults.length).toBeLessThanOrEqual(maxFaults);
    expect(format.change(listing, texts, edits)).not.toEqual([]);
  }, limitMs);
  expect(cpuMs).toBeLessThan(limitMs);
});

test('a folder that is missing, a file, or without listings is said so', async () => {
  const folder = await make({ 'readme.txt': 'x' });
  await expect(readFolder(join(folder, 'none'))).rejects.toThrow(/ENOENT.*Check the path/);
  await expect(readFolder(join(folder, 'readme.txt'))).rejects.toThrow(/is not a folder/);
  expect(await readFolder(folder)).toEqual([]);
});

test.skipIf(process.getuid?.() === 0)('a file without access is a fault', async () => {
  const folder = await make(texts);
  await chmod(join(folder, 'en-US/name.txt'), 0);
  const [found] = await readFolder(folder);
  expect(found!.listing.faults[0]!.message).toMatch(/EACCES.*check its access/);
});

test('deeply nested JSON is an error, and folders below the depth are not read', async () => {
  expect(() => parseJsonText('['.repeat(100_000))).toThrow(SyntaxError);
  const folder = await make(texts);
  const deep = Array.from({ length: folderLimits.depth + 2 }, () => 'd').join('/');
  await mkdir(join(folder, deep, 'en-US'), { recursive: true });
  await writeFile(join(folder, deep, 'en-US/keywords.txt'), 'x');
  expect((await readFolder(folder)).map(({ listing }) => listing.root)).toEqual(['']);
});
