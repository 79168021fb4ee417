import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { findDifferences, listNotEmptied, planPull, planPush } from '#listing-files/draft-plan.ts';
import { formatOf } from '#listing-files/formats.ts';
import { formatNames, type Edit, type FormatName, type Listing } from '#listing-files/listing.ts';
import { readFolder } from '#listing-files/read-folder.ts';
import { writeFolder } from '#listing-files/write-folder.ts';
import { goldenFolders, makeFolder, readFiles } from './golden-folders.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function open(name: keyof typeof goldenFolders) {
  const folder = await makeFolder(goldenFolders[name]);
  folders.push(folder);
  const found = await readFolder(folder);
  expect(found.map(({ listing }) => listing.format)).toEqual([name]);
  return { folder, ...found[0]! };
}

/** The texts of a listing, as edits that set each of them. */
function listTexts({ locales }: Listing): Edit[] {
  return [...locales].flatMap(([locale, texts]) =>
    Object.entries(texts).map(([field, text]) => ({
      locale,
      field: field as Edit['field'],
      value: text.value,
    })),
  );
}

const show = (listing: Listing) =>
  Object.fromEntries(
    [...listing.locales].map(([locale, texts]) => [
      locale,
      Object.fromEntries(
        Object.entries(texts).map(([field, { value, isInherited, release }]) => [
          field,
          value + (isInherited ? ' (inherited)' : '') + (release ? ` (${release})` : ''),
        ]),
      ),
    ]),
  );

test.each(formatNames)(
  'a folder of %s is found, and unchanged texts change no byte',
  async (name) => {
    const { folder, listing, texts } = await open(name);
    const changes = formatOf(name).change(listing, texts, listTexts(listing));
    expect(changes).toEqual([]);
    await writeFolder(folder, changes);
    expect(await readFiles(folder)).toEqual(goldenFolders[name]);
    expect(listing.faults).toEqual([]);
  },
);

test.each(formatNames)(
  '%s reads back what was written, and other files keep their bytes',
  async (name) => {
    const { folder, listing, texts } = await open(name);
    const format = formatOf(name);
    const edits: Edit[] = format.fields.flatMap((field) =>
      ['en-US', 'it'].map((locale) => ({
        locale,
        field,
        value: field === 'keywordField' ? 'uno,due' : `A "new"\ntext for ${field} 🎯 & <b>`,
      })),
    );
    const changes = format.change(listing, texts, edits);
    await writeFolder(folder, changes);
    const again = (await readFolder(folder, name))[0]!;
    for (const { locale, field, value } of edits) {
      const text = again.listing.locales.get(locale)?.[field];
      expect([locale, field, text?.value]).toEqual([locale, field, value]);
      expect(text?.isInherited).toBe(false);
    }
    const changed = new Set(changes.map(({ file }) => file));
    const kept = Object.entries(goldenFolders[name]).filter(([path]) => !changed.has(path));
    expect(await readFiles(folder)).toMatchObject(Object.fromEntries(kept));
  },
);

test('deliver: a blank file is no text, and default/ fills what a locale lacks', async () => {
  const { listing } = await open('deliver');
  expect(show(listing)).toEqual({
    'de-DE': { title: 'Gewohnheiten', supportUrl: 'https://example.com/hilfe' },
    'en-US': {
      title: 'Habit Tracker',
      subtitle: 'Small steps every day',
      keywordField: 'routine,goals,streak',
      description: 'Keep your habits.\n\nOne tap a day.',
      supportUrl: 'https://example.com/help (inherited)',
    },
  });
});

test('supply: a file is sent as it is, also when it is empty', async () => {
  const { listing } = await open('supply');
  expect(show(listing)).toEqual({
    'en-US': {
      title: 'Habit Tracker\n',
      summary: 'Small steps every day',
      description: 'Keep your habits.\r\nOne tap a day.',
      video: '',
      whatsNew: 'Newer notes (10)',
    },
    'ja-JP': { title: '習慣トラッカー', whatsNew: '修正 (default)' },
  });
  expect(listing.locales.get('en-US')!.whatsNew!.before).toEqual({
    release: '9',
    value: 'Older notes',
  });
});

test('asc: the newest version by its numbers is read', async () => {
  const { listing } = await open('asc');
  expect(show(listing)).toEqual({
    'en-US': {
      title: 'Habit Tracker',
      subtitle: 'Small steps',
      description: 'Keep <your> habits & goals.\nOne tap. (1.10)',
      keywordField: 'routine,goals (1.10)',
    },
    'fr-FR': { title: 'Mes habitudes', whatsNew: 'Corrections (1.10)' },
  });
});

test('Gradle Play Publisher: a missing or blank text is that of the default language', async () => {
  const { listing } = await open('gradle-play-publisher');
  expect(show(listing)['de-DE']).toEqual({
    title: 'Gewohnheiten',
    summary: 'Small steps every day (inherited)',
    description: 'Keep your habits.\nOne tap a day. (inherited)',
    whatsNew: 'Production notes (inherited) (production)',
  });
});

test('a changed text keeps the line ends and the space around it', async () => {
  const { listing, texts } = await open('gradle-play-publisher');
  const value = 'Keep your goals.\nOne tap.';
  const edit: Edit = { locale: 'en-US', field: 'description', value };
  expect(formatOf('gradle-play-publisher').change(listing, texts, [edit])).toEqual([
    {
      file: 'app/src/main/play/listings/en-US/full-description.txt',
      text: 'Keep your goals.\r\nOne tap.\r\n',
    },
  ]);
});

test('removing a text deletes its file or its key, and nothing that is inherited', async () => {
  const removed = async (name: keyof typeof goldenFolders, edits: [string, Edit['field']][]) => {
    const { listing, texts } = await open(name);
    return formatOf(name).change(
      listing,
      texts,
      edits.map(([locale, field]) => ({ locale, field, value: null })),
    );
  };
  expect(
    await removed('deliver', [
      ['en-US', 'subtitle'],
      ['en-US', 'supportUrl'],
    ]),
  ).toEqual([{ file: 'fastlane/metadata/en-US/subtitle.txt', text: null }]);
  expect(
    await removed('asc', [
      ['en-US', 'subtitle'],
      ['fr-FR', 'title'],
    ]),
  ).toEqual([
    { file: 'metadata/app-info/en-US.json', text: '{"name":"Habit Tracker"}' },
    { file: 'metadata/app-info/fr-FR.json', text: null },
  ]);
  const [eas] = await removed('eas', [['de-DE', 'title']]);
  expect(eas!.text).toBe(
    goldenFolders.eas['store.config.json']!.replace('        "title": "Gewohnheiten",\n', ''),
  );
});

test('a repository with several tools has a listing of each', async () => {
  const folder = await makeFolder({
    ...goldenFolders.deliver,
    ...goldenFolders.supply,
    ...goldenFolders.eas,
    'node_modules/other/fastlane/metadata/en-US/name.txt': 'Another app\n',
    'docs/example/description.txt': 'Not a listing\n',
  });
  folders.push(folder);
  const found = await readFolder(folder);
  expect(found.map(({ listing }) => [listing.format, listing.root])).toEqual([
    ['eas', ''],
    ['deliver', 'fastlane/metadata'],
    ['supply', 'fastlane/metadata/android'],
  ]);
  const named = await readFolder(folder, 'f-droid');
  expect(named.map(({ listing }) => [listing.format, listing.root])).toEqual([
    ['f-droid', 'fastlane/metadata/android'],
  ]);
});

test.each<[FormatName, string, Edit['field'], string]>([
  ['deliver', 'en-US', 'description', '\nKeep your goals.\n'],
  ['gradle-play-publisher', 'en-US', 'description', 'Keep your goals.\r\nOne tap.\r\n'],
  ['f-droid', 'en-US', 'summary', 'Every day '],
  ['asc', 'en-US', 'description', 'Keep your goals.\n'],
  ['eas', 'en-US', 'keywordField', 'habit, tracker ,'],
  ['eas', 'de-DE', 'keywordField', ' '],
  ['deliver', 'it', 'subtitle', ' '],
])('%s: once a draft is pulled nothing differs: %s %s %j', async (name, locale, field, text) => {
  const { folder, listing, texts } = await open(name);
  const draft = new Map([[locale, { [field]: text }]]);
  const plan = (of: Listing) => findDifferences(of, draft).filter((one) => one.draft !== null);
  const changes = formatOf(name).change(listing, texts, planPull(listing, draft));
  expect(changes.length).toBe(plan(listing).length);
  await writeFolder(folder, changes);
  const again = (await readFolder(folder, name))[0]!;
  expect(plan(again.listing)).toEqual([]);
  expect(planPull(again.listing, draft)).toEqual([]);
});

test('a draft that repeats an inherited text differs in nothing', () => {
  const files = { 'default/release_notes.txt': 'Faster.\n', 'en-US/name.txt': 'Habits\n' };
  const listing = formatOf('deliver').read('', new Map(Object.entries(files)));
  const differences = (whatsNew: string) =>
    findDifferences(listing, new Map([['en-US', { title: 'Habits', whatsNew }]]));
  expect(differences('Faster.')).toEqual([]);
  expect(differences('Slower.')).toEqual([
    { locale: 'en-US', field: 'whatsNew', folder: null, draft: 'Slower.' },
  ]);
});

test('EAS: once a folder is pushed nothing differs, whatever its keywords are', () => {
  const file = '{"apple":{"info":{"en-US":{"keywords":["habit", " tracker", "a, b"]}}}}';
  const listing = formatOf('eas').read('', new Map([['store.config.json', file]]));
  const pushed = planPush(listing, new Map());
  const draft = new Map(pushed.map(({ locale, texts }) => [locale, texts]));
  expect(findDifferences(listing, draft)).toEqual([]);
});

test('several keys are set, added and removed at once', () => {
  const change = (text: string, edits: [string, Edit['field'], string | null][]) => {
    const texts = new Map([['store.config.json', text]]);
    const format = formatOf('eas');
    return format.change(
      format.read('', texts),
      texts,
      edits.map(([locale, field, value]) => ({ locale, field, value })),
    )[0]?.text;
  };
  const file =
    '{\n  "apple": {"info": {"en": {"title": "A", "subtitle": "B", "x": 1, "description": "C"},' +
    ' "it": {"title": "D"}}}\n}';
  expect(
    change(file, [
      ['en', 'title', null],
      ['en', 'subtitle', null],
      ['en', 'description', null],
      ['en', 'whatsNew', 'E'],
      ['it', 'title', null],
      ['ja', 'title', 'F'],
      ['ja', 'subtitle', 'G'],
      ['ko', 'title', null],
    ]),
  ).toBe(
    '{\n  "apple": {"info": {"en": {"x": 1, "releaseNotes": "E"}, "it": {}, ' +
      '"ja": {"title":"F","subtitle":"G"}}}\n}',
  );
  expect(
    change(file, [
      ['it', 'title', null],
      ['it', 'subtitle', 'H'],
    ]),
  ).toBe(file.replace('{"title": "D"}', '{"subtitle":"H"}'));
  expect(change('{"apple": 1}', [['en', 'title', 'A']])).toBeUndefined();
  expect(change('{}', [['en', 'title', 'A']])).toBe('{"apple":{"info":{"en":{"title":"A"}}}}');
});

test('nothing of the review information is read', async () => {
  for (const name of ['deliver', 'eas'] as const) {
    const { listing } = await open(name);
    const texts = JSON.stringify(show(listing));
    expect(texts).toContain('Habit Tracker');
    expect(texts).not.toContain('secret-of-the-demo');
  }
});

test.each<[FormatName, string, string, string | null]>([
  ['deliver', 'fastlane/metadata/en-US/subtitle.txt', 'subtitle', null],
  ['supply', 'fastlane/metadata/android/en-US/short_description.txt', 'summary', ''],
  ['asc', 'metadata/app-info/en-US.json', 'subtitle', '{"name":"Habit Tracker"}'],
  [
    'gradle-play-publisher',
    'app/src/main/play/listings/en-US/short-description.txt',
    'summary',
    null,
  ],
  ['f-droid', 'metadata/org.example.habits/en-US/summary.txt', 'summary', null],
  [
    'eas',
    'store.config.json',
    'keywordField',
    goldenFolders.eas['store.config.json']!.replace('["routine", "goals", "streak"]', '[]'),
  ],
])('%s empties a text as far as it can', async (name, file, field, text) => {
  const { folder, listing, texts } = await open(name);
  const draft = new Map([['en-US', { [field]: '' }]]);
  const changes = formatOf(name).change(listing, texts, planPull(listing, draft));
  expect(changes).toEqual([{ file, text }]);
  const cannot = ['deliver', 'asc', 'gradle-play-publisher'].includes(name);
  expect(listNotEmptied(listing, draft)).toEqual(cannot ? [{ locale: 'en-US', field }] : []);
  // Once it is pulled nothing differs, and a push keeps the text of the draft.
  await writeFolder(folder, changes);
  const [{ listing: after } = { listing }] = await readFolder(folder);
  expect(findDifferences(after, draft).filter((one) => one.draft !== null)).toEqual([]);
  const pushed = planPush(after, draft).find(({ locale }) => locale === 'en-US');
  expect(pushed?.texts ?? draft.get('en-US')).toMatchObject({ [field]: '' });
});

function pull(name: FormatName, files: Record<string, string>, draft: Record<string, string>) {
  const [format, texts] = [formatOf(name), new Map(Object.entries(files))];
  const listing = format.read('', texts);
  const drafted = new Map(
    Object.entries(draft).map(([locale, whatsNew]) => [locale, { whatsNew }]),
  );
  for (const { file, text } of format.change(listing, texts, planPull(listing, drafted)))
    if (text === null) texts.delete(file);
    else texts.set(file, text);
  return Object.fromEntries(texts);
}

test.each<FormatName>(['supply', 'f-droid'])(
  '%s: new notes are those of the newest version, and earlier ones stay',
  (name) => {
    const files = {
      'en-US/summary.txt': 'Small steps',
      'en-US/changelogs/9.txt': 'Old',
      'en-US/changelogs/10.txt': 'New',
      'de-DE/changelogs/9.txt': 'Alt',
    };
    const { 'de-DE/changelogs/10.txt': added, ...others } = pull(name, files, { 'de-DE': 'Neu' });
    expect(added?.trim()).toBe('Neu');
    expect(others).toEqual(files);
    expect(pull(name, files, { 'de-DE': 'Alt' })['de-DE/changelogs/10.txt']?.trim()).toBe('Alt');
  },
);

test.each<[FormatName, string[]]>([
  ['f-droid', ['10', '9', '8'].map((version) => `en-US/changelogs/${version}.txt`)],
  [
    'gradle-play-publisher',
    ['production', 'default'].map((track) => `release-notes/en-US/${track}.txt`),
  ],
])(
  '%s: emptied notes leave those of other releases, however often they are pulled',
  (name, paths) => {
    const files = {
      'en-US/summary.txt': 'x',
      ...Object.fromEntries(paths.map((path) => [path, path])),
    };
    const emptied = pull(name, files, { 'en-US': '' });
    expect(emptied).toEqual({ ...files, [paths[0]!]: '' });
    expect(pull(name, emptied, { 'en-US': '' })).toEqual(emptied);
    const written = pull(name, emptied, { 'en-US': 'Written' });
    expect(written[paths[0]!]?.trim()).toBe('Written');
  },
);
