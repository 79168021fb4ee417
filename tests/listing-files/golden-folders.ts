/** Folders as each tool writes them, made after its documentation. */
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FormatName } from '#listing-files/listing.ts';

export type Files = Readonly<Record<string, string>>;

export const goldenFolders: Readonly<Record<FormatName, Files>> = {
  // `deliver init` ends each file with a line end, and writes an empty field as a line end.
  deliver: {
    'fastlane/metadata/copyright.txt': '2026 Example\n',
    'fastlane/metadata/primary_category.txt': 'PRODUCTIVITY\n',
    'fastlane/metadata/review_information/demo_password.txt': 'secret-of-the-demo\n',
    'fastlane/metadata/default/support_url.txt': 'https://example.com/help\n',
    'fastlane/metadata/en-US/name.txt': 'Habit Tracker\n',
    'fastlane/metadata/en-US/subtitle.txt': 'Small steps every day\n',
    'fastlane/metadata/en-US/keywords.txt': 'routine,goals,streak\n',
    'fastlane/metadata/en-US/description.txt': 'Keep your habits.\n\nOne tap a day.\n',
    'fastlane/metadata/en-US/release_notes.txt': '\n',
    'fastlane/metadata/en-US/promotional_text.txt': '\n',
    'fastlane/metadata/de-DE/name.txt': 'Gewohnheiten\n',
    'fastlane/metadata/de-DE/subtitle.txt': '\n',
    'fastlane/metadata/de-DE/support_url.txt': 'https://example.com/hilfe\n',
  },
  // `supply init` adds no line end. Somebody added one to a title, and supply sends it.
  supply: {
    'fastlane/metadata/android/en-US/title.txt': 'Habit Tracker\n',
    'fastlane/metadata/android/en-US/short_description.txt': 'Small steps every day',
    'fastlane/metadata/android/en-US/full_description.txt': 'Keep your habits.\r\nOne tap a day.',
    'fastlane/metadata/android/en-US/video.txt': '',
    'fastlane/metadata/android/en-US/changelogs/9.txt': 'Older notes',
    'fastlane/metadata/android/en-US/changelogs/10.txt': 'Newer notes',
    'fastlane/metadata/android/en-US/changelogs/default.txt': 'Every other version',
    'fastlane/metadata/android/ja-JP/title.txt': '習慣トラッカー',
    'fastlane/metadata/android/ja-JP/changelogs/default.txt': '修正',
  },
  // One compact line without a line end, and no empty fields.
  asc: {
    'metadata/app-info/default.json': '{"privacyPolicyUrl":"https://example.com/privacy"}',
    'metadata/app-info/en-US.json': '{"name":"Habit Tracker","subtitle":"Small steps"}',
    'metadata/app-info/fr-FR.json': '{"name":"Mes habitudes"}',
    'metadata/version/1.9/en-US.json': '{"description":"Old","whatsNew":"Old notes"}',
    'metadata/version/1.10/en-US.json':
      '{"description":"Keep <your> habits & goals.\\nOne tap.","keywords":"routine,goals"}',
    'metadata/version/1.10/fr-FR.json': '{"whatsNew":"Corrections"}',
  },
  'gradle-play-publisher': {
    'app/src/main/play/default-language.txt': 'en-US',
    'app/src/main/play/contact-email.txt': 'help@example.com',
    'app/src/main/play/listings/en-US/title.txt': 'Habit Tracker',
    'app/src/main/play/listings/en-US/short-description.txt': 'Small steps every day',
    'app/src/main/play/listings/en-US/full-description.txt':
      'Keep your habits.\r\nOne tap a day.\r\n',
    'app/src/main/play/listings/de-DE/title.txt': 'Gewohnheiten',
    'app/src/main/play/listings/de-DE/short-description.txt': '',
    'app/src/main/play/release-notes/en-US/default.txt': 'Corrections',
    'app/src/main/play/release-notes/en-US/beta.txt': 'Beta notes',
    'app/src/main/play/release-notes/en-US/production.txt': 'Production notes',
  },
  'f-droid': {
    'metadata/org.example.habits/en-US/name.txt': 'Habit Tracker with a long name for F-Droid\n',
    'metadata/org.example.habits/en-US/summary.txt': 'Small steps every day\n',
    'metadata/org.example.habits/en-US/description.txt': 'Keep your habits.\n',
    'metadata/org.example.habits/en-US/changelogs/12.txt': 'Corrections\n',
    'metadata/org.example.habits/pl/summary.txt': '\n',
    'metadata/org.example.habits/pl/description.txt': 'Nawyki.\n',
  },
  eas: {
    'store.config.json': `{
  "configVersion": 0,
  "apple": {
    "version": "1.2.0",
    "info": {
      "en-US": {
        "title": "Habit Tracker",
        "subtitle": "Small steps every day",
        "keywords": ["routine", "goals", "streak"],
        "privacyPolicyUrl": "https://example.com/privacy"
      },
      "de-DE": {
        "title": "Gewohnheiten",
        "privacyPolicyUrl": "https://example.com/datenschutz"
      }
    },
    "review": { "demoPassword": "secret-of-the-demo" }
  }
}
`,
  },
};

/** Writes the files below a new folder and returns its path. */
export async function makeFolder(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-listing-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Every file of a folder with its text. */
export async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path, 'utf8');
  }
  return files;
}
