/** Listings with known faults, and clean ones, by the rules of `src/listing-lint`. */
import type { FormatName } from '#listing-files/listing.ts';
import type { RuleName } from '#listing-lint/lint-rules.ts';
import type { Files } from './golden-folders.ts';

interface MadeListing {
  name: string;
  tool?: FormatName;
  files: Files;
  config?: object;
  /** `rule locale`, each as often as it is there. */
  faults: `${RuleName} ${string}`[];
}

const keywords =
  'routine,goals,streak,morning,planner,diary,mood,sleep,water,journal,focus,timer,checklist,list';

/** 20 Japanese keywords of three characters. */
const many = (word: string): string =>
  Array.from({ length: 20 }, (_, at) => word + String.fromCodePoint(0x4e00 + at)).join(',');

/** A clean folder of deliver, with changes of some files. Null removes a file. */
function deliver(changes: Record<string, string | null> = {}): Files {
  const files: Record<string, string | null> = {
    'en-US/name.txt': 'Habit Tracker\n',
    'en-US/subtitle.txt': 'Small steps every day\n',
    'en-US/keywords.txt': `${keywords}\n`,
    'en-US/description.txt': 'Keep your habits.\n\n• One tap a day\n• No account\n',
    'en-US/release_notes.txt': 'Faster start, and a new widget.\n',
    'en-US/support_url.txt': 'https://example.com/help\n',
    'de-DE/name.txt': 'Gewohnheiten\n',
    'de-DE/subtitle.txt': 'Kleine Schritte, jeden Tag\n',
    'de-DE/keywords.txt':
      'routine,ziele,serie,morgen,planer,tagebuch,stimmung,schlaf,wasser,fokus,timer,checkliste\n',
    'de-DE/description.txt': 'Behalte deine Gewohnheiten.\n',
    'de-DE/release_notes.txt': 'Schnellerer Start und ein neues Widget.\n',
    'ja/name.txt': '習慣トラッカー\n',
    'ja/subtitle.txt': '毎日の小さな一歩\n',
    'ja/keywords.txt': `${many('目標')}\n`,
    'ja/description.txt': '習慣を続けよう。\n',
    'ja/release_notes.txt': '起動が速くなりました。\n',
  };
  return present({ ...files, ...changes });
}

function supply(changes: Record<string, string | null> = {}): Files {
  return present({
    'en-US/title.txt': 'Habit Tracker: Daily Routine',
    'en-US/short_description.txt': 'Small steps every day, with streaks and reminders.',
    'en-US/full_description.txt': 'Keep your habits. A free, calm diary.',
    'en-US/changelogs/42.txt': 'Faster start.',
    'en-US/changelogs/41.txt': 'A new widget.',
    'es-ES/title.txt': 'Hábitos: rutina diaria',
    'es-ES/short_description.txt': 'Pequeños pasos cada día.',
    'es-ES/full_description.txt': 'Mantén tus hábitos.',
    'es-ES/changelogs/42.txt': 'Arranque más rápido.',
    ...changes,
  });
}

function present(files: Record<string, string | null>): Files {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );
}

export const faultyListings: readonly MadeListing[] = [
  {
    name: 'a title of 31 characters',
    files: deliver({ 'en-US/name.txt': 'Habit Tracker and Daily Planner' }),
    faults: ['too-long en-US', 'keyword-in-title en-US'],
  },
  {
    name: 'a title of one character',
    files: deliver({ 'en-US/name.txt': 'H' }),
    faults: ['too-short en-US'],
  },
  {
    name: 'a keyword field of 101 characters, 300 bytes',
    files: deliver({ 'ja/keywords.txt': `${'目'.repeat(50)},${'標'.repeat(50)}` }),
    faults: ['too-long ja'],
  },
  {
    name: 'a short description that fits without its line end',
    files: supply({ 'en-US/short_description.txt': `${'a'.repeat(80)}\n` }),
    faults: ['too-long-with-line-end en-US'],
  },
  {
    name: 'a short description that fits in characters and not in UTF-16 units',
    files: supply({ 'en-US/short_description.txt': `${'a'.repeat(79)}🎯` }),
    faults: ['too-long-in-utf-16 en-US'],
  },
  {
    name: 'a folder that is no locale',
    files: deliver({ 'english/name.txt': 'Habits', 'de/name.txt': 'Gewohnheiten' }),
    faults: [
      'unknown-locale english',
      'unknown-locale de',
      ...['english', 'de'].flatMap((locale) => [`missing-whats-new ${locale}` as const]),
    ],
  },
  {
    name: 'a locale that the configuration names',
    files: deliver(),
    config: { locales: ['en-US', 'fr-FR'] },
    faults: ['missing-locale fr-FR'],
  },
  {
    name: 'a locale without a subtitle',
    files: deliver({ 'ja/subtitle.txt': '\n' }),
    faults: ['missing-text ja'],
  },
  {
    name: 'a locale of the app without texts of the version',
    files: deliver({ 'ja/keywords.txt': null, 'ja/description.txt': null }),
    faults: ['missing-text ja', 'missing-text ja'],
  },
  {
    name: 'no notes in one locale, which supply uploads as empty',
    files: supply({ 'es-ES/changelogs/42.txt': null }),
    faults: ['missing-whats-new es-ES'],
  },
  {
    name: 'the notes of the release before',
    files: supply({ 'en-US/changelogs/41.txt': 'Faster start.' }),
    faults: ['stale-whats-new en-US'],
  },
  {
    name: 'a new release with notes in one locale only',
    files: supply({
      'de-DE/title.txt': 'Gewohnheiten',
      'de-DE/short_description.txt': 'Jeden Tag.',
      'de-DE/full_description.txt': 'Behalte deine Gewohnheiten.',
      'de-DE/changelogs/41.txt': 'Ein Widget.',
      'es-ES/changelogs/42.txt': null,
      'es-ES/changelogs/41.txt': 'Un widget.',
    }),
    faults: ['stale-whats-new de-DE', 'stale-whats-new es-ES'],
  },
  {
    name: 'notes that name another version',
    files: deliver({
      'en-US/release_notes.txt': 'Version 2.4: faster.',
      'de-DE/release_notes.txt': 'Version 2.4: schneller.',
      'ja/release_notes.txt': 'バージョン 2.3 の変更。',
    }),
    faults: ['stale-whats-new ja'],
  },
  {
    name: 'a number in the notes that is no version',
    files: deliver({
      'en-US/release_notes.txt': 'Up to 1.5 times faster. Version 3.2.',
      'de-DE/release_notes.txt': 'Bis zu 1,5-mal schneller. Version 3.2.',
      'ja/release_notes.txt': 'バージョン 3.2 の変更。',
    }),
    faults: [],
  },
  {
    name: 'a description that was not translated',
    files: deliver({
      'en-US/description.txt': 'A long description of habits. '.repeat(4),
      'de-DE/description.txt': 'A long description of habits. '.repeat(4),
    }),
    faults: ['same-as-other-language de-DE'],
  },
  {
    name: 'an angle bracket in notes',
    files: deliver({ 'en-US/release_notes.txt': 'Start < 1 s' }),
    faults: ['refused-character en-US'],
  },
  {
    name: 'emoji in a description and notes of the App Store',
    files: deliver({
      'en-US/description.txt': '🚀 Keep your habits.',
      'ja/release_notes.txt': '🚨 修正',
    }),
    faults: ['emoji en-US', 'emoji ja'],
  },
  {
    name: 'an emoji in a title of Google Play',
    files: supply({ 'es-ES/title.txt': 'Hábitos 🎯' }),
    faults: ['emoji-in-title es-ES'],
  },
  {
    name: 'HTML in a description of the App Store',
    files: deliver({ 'en-US/description.txt': 'Keep <b>your</b> habits.' }),
    faults: ['html-tag en-US'],
  },
  {
    name: 'marks apart from their characters',
    files: deliver({
      'de-DE/subtitle.txt': 'Für jeden Tag'.normalize('NFD'),
      'ja/subtitle.txt': '\u0958\u0959 習慣',
    }),
    faults: ['not-composed de-DE'],
  },
  {
    name: 'a byte order mark and a zero-width space',
    files: deliver({ 'en-US/subtitle.txt': '\ufeffSmall steps', 'ja/name.txt': '習慣\u200bメモ' }),
    faults: ['invisible-character en-US', 'invisible-character ja'],
  },
  {
    name: 'a text that is not written yet',
    files: deliver({ 'en-US/description.txt': 'Lorem ipsum: lorem ipsum dolor' }),
    faults: ['placeholder-text en-US'],
  },
  {
    name: 'wide commas in a keyword field',
    files: deliver({ 'ja/keywords.txt': '目標、日記、睡眠' }),
    faults: ['keyword-separator ja'],
  },
  {
    name: 'Arabic commas in a keyword field',
    files: deliver({ 'ja/keywords.txt': 'عادة، هدف' }),
    faults: ['keyword-separator ja'],
  },
  {
    name: 'one keyword a line',
    files: deliver({ 'en-US/keywords.txt': 'routine\ngoals\nstreak' }),
    faults: ['keyword-separator en-US'],
  },
  {
    name: 'spaces and empty keywords',
    files: deliver({ 'en-US/keywords.txt': `${keywords.replaceAll(',mood', ', mood')},,` }),
    faults: ['keyword-space en-US', 'keyword-empty en-US'],
  },
  {
    name: 'a word twice, one of the title and one of the developer',
    files: deliver({
      'en-US/keywords.txt': keywords
        .replace('diary', 'habit')
        .replace('mood', 'acme')
        .replace('timer', 'goals'),
    }),
    config: { developer: 'Acme Inc' },
    faults: ['keyword-duplicate en-US', 'keyword-in-title en-US', 'keyword-of-developer en-US'],
  },
  {
    name: 'a Japanese keyword that the title contains',
    files: deliver({
      'ja/keywords.txt': `習慣,${many('日記')}`,
    }),
    faults: ['keyword-in-title ja'],
  },
  {
    name: 'a plural, a generic word and much unused',
    files: deliver({ 'en-US/keywords.txt': 'goal,goals,app' }),
    faults: ['keyword-plural en-US', 'keyword-generic en-US', 'keyword-unused en-US'],
  },
  {
    name: 'special characters in the keyword field, beside one of a brand',
    files: deliver({ 'en-US/keywords.txt': `#goal,@home,C#,${'x'.repeat(70)}` }),
    config: { allow: ['C#'] },
    faults: ['keyword-mark en-US', 'keyword-mark en-US'],
  },
  {
    name: 'words that Google Play forbids in titles and advises against in summaries',
    files: supply({
      'en-US/title.txt': 'Best Habit Tracker, No Ads',
      'en-US/short_description.txt': 'The new way. Download now!',
    }),
    faults: ['policy-word en-US', 'policy-word en-US', 'advised-word en-US', 'advised-word en-US'],
  },
  {
    name: 'prices and other platforms on the App Store',
    files: deliver({
      'en-US/subtitle.txt': 'Free habit diary of the day',
      'en-US/description.txt': 'Also on Google Play.',
    }),
    faults: ['advised-word en-US', 'keyword-in-title en-US', 'other-platform en-US'],
  },
  {
    name: 'capitals and repeated marks in a title of Google Play',
    files: supply({ 'es-ES/title.txt': 'HÁBITOS DIARIOS!!' }),
    faults: ['capital-words es-ES', 'repeated-marks es-ES'],
  },
  {
    name: 'a summary that F-Droid refuses',
    files: {
      'en-US/name.txt': 'Habits',
      'en-US/summary.txt': 'Free software for habits.\n',
      'en-US/description.txt': 'Keep your habits.',
    },
    faults: ['summary-of-f-droid en-US', 'summary-of-f-droid en-US'],
  },
  {
    name: 'a subtitle that repeats the title, and an address that is none',
    files: deliver({
      'de-DE/subtitle.txt': 'Gewohnheiten',
      'en-US/support_url.txt': 'example.com/help',
    }),
    faults: ['same-as-title de-DE', 'invalid-address en-US'],
  },
  {
    name: 'texts of default/ of deliver, with the policies of the English locale that has them',
    files: {
      'default/name.txt': 'The best habit tracker and daily planner\n',
      'default/keywords.txt': `${keywords.replace('diary', 'habit')}\n`,
      'default/support_url.txt': 'example.com/help\n',
      'de-DE/subtitle.txt': 'Kleine Schritte\n',
      'en-US/subtitle.txt': 'Small steps\n',
    },
    faults: [
      'too-long default',
      'advised-word default',
      'invalid-address default',
      'keyword-in-title default',
      'keyword-in-title default',
    ],
  },
  {
    name: 'texts of default/ that no locale has, and of asc’s default.json',
    files: {
      'metadata/default/name.txt': 'Habit Tracker and Daily Planner\n',
      'metadata/en-US/name.txt': 'Habits\n',
      'metadata/en-US/subtitle.txt': 'Small steps\n',
      'asc/app-info/default.json': '{"privacyPolicyUrl":"example.com","subtitle":""}',
      'asc/app-info/en-US.json': '{"name":"Habits"}',
    },
    faults: ['too-long default', 'invalid-address default', 'unreadable-file null'],
  },
  {
    name: 'an empty keyword field of EAS',
    files: { 'store.config.json': '{"apple":{"info":{"en-US":{"keywords":[]}}}}' },
    faults: ['keyword-unused en-US'],
  },
  {
    name: 'asc: an empty text, and EAS: a locale that its schema lacks',
    files: {
      'app-info/en-US.json': '{"name":"Habits","subtitle":""}',
      'store.config.json': '{"apple":{"info":{"ta-IN":{"title":"பழக்கம்"}}}}',
    },
    faults: ['unreadable-file null', 'locale-of-2026 ta-IN'],
  },
];

export const cleanListings: readonly MadeListing[] = [
  { name: 'deliver', files: deliver(), faults: [] },
  { name: 'supply', files: supply(), faults: [] },
  {
    name: 'a brand with words of policies, which is allowed',
    files: supply({ 'en-US/title.txt': 'FREENOW Top Taxi: free rides' }),
    config: { allow: ['FREENOW Top Taxi', 'free rides'] },
    faults: [],
  },
  {
    name: 'words of the English lists in other languages',
    files: supply({
      'es-ES/title.txt': 'Top Best Free',
      'es-ES/short_description.txt': 'Sale new',
    }),
    faults: [],
  },
  {
    name: 'joiners, no-break spaces and abbreviations',
    files: supply({
      'en-US/title.txt': 'PDF and OCR Scanner',
      'fa/title.txt': 'می‌خواهم',
      'fa/short_description.txt': 'عادت‌های روزانه',
      'fa/full_description.txt': 'عادت‌های خود را حفظ کنید.',
      'fa/changelogs/42.txt': 'سریع‌تر',
      'fr-FR/title.txt': 'Habitudes',
      'fr-FR/short_description.txt': 'Prêt\u202f? Un pas par jour\u00a0!',
      'fr-FR/full_description.txt': 'Gardez vos habitudes © 2026 Exemple™.',
      'fr-FR/changelogs/42.txt': 'Plus rapide.',
    }),
    faults: [],
  },
  {
    name: 'a long title for F-Droid, where supply’s folder is read as F-Droid’s',
    tool: 'f-droid',
    files: supply({
      'en-US/title.txt': 'Habit Tracker with a name of up to 50 characters',
      'en-US/short_description.txt': 'Small steps',
      'es-ES/short_description.txt': 'Pasos',
    }),
    faults: [],
  },
  {
    name: 'Gradle Play Publisher with inherited texts',
    files: {
      'default-language.txt': 'en-US\n',
      'listings/en-US/title.txt': 'Habit Tracker\n',
      'listings/en-US/short-description.txt': `${'a'.repeat(80)}\n`,
      'listings/en-US/full-description.txt': 'Keep your habits.\r\n',
      'listings/de-DE/title.txt': 'Gewohnheiten\n',
      'release-notes/en-US/default.txt': 'Corrections',
    },
    faults: [],
  },
  {
    name: 'Gradle Play Publisher with the same notes for two tracks, and one of them',
    files: {
      'default-language.txt': 'en-US\n',
      'listings/en-US/title.txt': 'Habit Tracker\n',
      'listings/de-DE/title.txt': 'Gewohnheiten\n',
      'release-notes/en-US/production.txt': 'Corrections',
      'release-notes/en-US/beta.txt': 'Corrections',
      'release-notes/de-DE/beta.txt': 'Korrekturen',
    },
    faults: [],
  },
  {
    name: 'supply with notes for every version without its own',
    files: supply({
      'es-ES/changelogs/42.txt': null,
      'es-ES/changelogs/41.txt': 'Un widget.',
      'es-ES/changelogs/40.txt': 'Primera.',
      'es-ES/changelogs/default.txt': 'Correcciones.',
    }),
    faults: [],
  },
  {
    name: 'findings that the configuration disables or ignores',
    files: deliver({ 'en-US/keywords.txt': 'goal,goals', 'ja/subtitle.txt': null }),
    config: {
      rules: { 'keyword-plural': 'off', 'keyword-unused': 'off' },
      ignore: [
        { rule: 'missing-text', file: 'ja/keywords.txt' },
        { rule: 'missing-text', file: 'ja/description.txt' },
      ],
    },
    faults: [],
  },
];
