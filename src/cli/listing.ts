import { Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '#client/http.ts';
import { CommandError } from '#lib/command-error.ts';
import { printable } from '#lib/text.ts';
import { formatNames, type FormatName } from '#listing-files/listing.ts';
import type { Difference, DraftLocales, DraftTexts } from '#listing-files/draft-plan.ts';
import type { FolderListing } from '#listing-files/read-listings.ts';
import { failWith } from './exit.ts';

interface ListingOptions {
  app: number;
  draft?: string;
  tool?: FormatName;
  url?: string;
  dryRun: boolean;
  json: boolean;
}
type Draft = { id: number; name: string; current: boolean };

/** The name of a draft that a push creates. */
const createdName = 'Repository';

export function listingCommand(): Command {
  const listing = new Command('listing').description(
    'move texts between a folder of a repository and the drafts of a running instance ' +
      '(toprung login; docs/listing-files.md)',
  );
  const add = (name: string, description: string, run: Run) =>
    listing
      .command(name)
      .argument('[folder]', 'the folder of the listing, or one above it', '.')
      .description(description)
      .requiredOption('--app <id>', 'the id of the app', parseId)
      .option('--draft <name>', 'the draft, instead of the current one')
      .addOption(new Option('--tool <name>', 'the tool of the folder').choices(formatNames))
      .option('--url <address>', 'the address that you open in a browser, instead of TOPRUNG_URL')
      .option('--dry-run', 'show what would change, and change nothing', false)
      .option('--json', 'print the differences as JSON', false)
      .action(async (folder: string, options: ListingOptions) => {
        try {
          await run(folder, options);
        } catch (error) {
          failWith(error);
        }
      });
  add('pull', 'write the texts of the draft into the files', pull);
  add('push', 'save the texts of the files in the draft', push);
  add('diff', 'show the texts that differ; exits with 1 when some do', diff);
  return listing;
}

type Run = (folder: string, options: ListingOptions) => Promise<void>;

async function pull(folder: string, options: ListingOptions): Promise<void> {
  const { api, found, drafts } = await open(folder, options);
  const { findDifferences, listNotEmptied, planPull } =
    await import('#listing-files/draft-plan.ts');
  const { formatOf } = await import('#listing-files/formats.ts');
  const { writeFolder } = await import('#listing-files/write-folder.ts');
  const { texts } = await readDraft(api, chooseDraft(drafts, options));
  const { listing, texts: files } = found;
  requireReadable(found);
  print(
    findDifferences(listing, texts).filter(({ draft }) => draft !== null),
    options,
  );
  const changes = formatOf(listing.format).change(listing, files, planPull(listing, texts));
  if (!options.dryRun) await writeFolder(folder, changes);
  for (const { locale, field } of listNotEmptied(listing, texts))
    console.error(
      `toprung: ${listing.format} cannot empty a text: empty ${field} of ` +
        `${printable(locale)} in the store.`,
    );
  const done = options.dryRun ? 'Files that would be written' : 'Files written';
  if (!options.json) console.log(`${done}: ${changes.length}.`);
}

async function push(folder: string, options: ListingOptions): Promise<void> {
  const { api, found, drafts } = await open(folder, options);
  const { findDifferences, planPush } = await import('#listing-files/draft-plan.ts');
  const { splitRequests } = await import('#listing-files/split-requests.ts');
  requireReadable(found);
  // One that an earlier push created may not have become the current one.
  const there =
    findDraft(drafts, options) ??
    (options.draft === undefined ? findDraft(drafts, { draft: createdName }) : undefined);
  const read = there && (await readDraft(api, there));
  const known: DraftLocales = read?.texts ?? new Map();
  const locales = planPush(found.listing, known);
  const pushed = new Set(locales.map(({ locale }) => locale));
  print(
    findDifferences(found.listing, known).filter(({ locale }) => pushed.has(locale)),
    options,
  );
  if (!options.dryRun) {
    const draft =
      there ??
      (await api('POST /apps/{id}/listing-drafts', {
        params: { id: options.app },
        body: { name: options.draft ?? createdName },
      }));
    // A text that somebody saves after the comparison is not overwritten.
    let ifMatch = read?.etag;
    for (const request of splitRequests(locales))
      ({ etag: ifMatch } = await api('PUT /listing-drafts/{id}/texts', {
        params: { id: draft.id },
        body: { locales: request },
        ifMatch,
      }));
    // Without a current draft, which may have been deleted, the next command would find none.
    if (options.draft === undefined && !draft.current)
      await api('PATCH /listing-drafts/{id}', {
        params: { id: draft.id },
        body: { current: true },
      });
  }
  const done = options.dryRun ? 'Locales that would be saved' : 'Locales saved';
  if (!options.json) console.log(`${done}: ${locales.length}.`);
}

async function diff(folder: string, options: ListingOptions): Promise<void> {
  const { api, found, drafts } = await open(folder, options);
  const { findDifferences } = await import('#listing-files/draft-plan.ts');
  const differences = findDifferences(
    found.listing,
    (await readDraft(api, chooseDraft(drafts, options))).texts,
  );
  print(differences, options);
  if (!options.json) console.log(`Texts that differ: ${differences.length}.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

/** Reads the folder first, so that a wrong one needs no server. */
async function open(folder: string, { app: id, tool, url: flag }: ListingOptions) {
  const { readFolder } = await import('#listing-files/read-folder.ts');
  const { openApi } = await import('./work/open-api.ts');
  const listings = await readFolder(folder, tool);
  const api = await openApi(flag, (text) => console.error(`toprung: ${text}`));
  const { store } = await api('GET /apps/{id}', { params: { id } });
  const ofStore = listings.filter(({ listing }) => listing.store === store);
  if (ofStore.length !== 1)
    throw new CommandError(
      ofStore.length === 0
        ? `${folder} has no listing for ${store}. Name the folder, such as fastlane/metadata.`
        : `${folder} has several listings for ${store}: ` +
            `${ofStore.map(nameListing).join(', ')}. ` +
            'Name the folder of one, or its tool with --tool.',
    );
  const { items } = await api('GET /apps/{id}/listing-drafts', { params: { id } });
  return { api, found: ofStore[0]!, drafts: items };
}

const nameListing = ({ listing }: FolderListing): string =>
  `${listing.format} in ${printable(listing.root) || '.'}`;

const findDraft = (
  drafts: readonly Draft[],
  { draft: name }: Pick<ListingOptions, 'draft'>,
): Draft | undefined =>
  drafts.find((one) => (name === undefined ? one.current : one.name === name));

function chooseDraft(drafts: readonly Draft[], options: ListingOptions): Draft {
  const found = findDraft(drafts, options);
  if (found) return found;
  const { draft: name } = options;
  const names = drafts.map((one) => `"${one.name}"`).join(', ') || 'none; push creates one';
  throw new CommandError(
    name === undefined
      ? `The app has no current draft. Name one with --draft; there are: ${names}.`
      : `The app has no draft "${name}". There are: ${names}.`,
  );
}

/** A file that could not be read would look like a removed text. */
function requireReadable({ listing: { faults } }: FolderListing): void {
  const [first] = faults;
  if (first) throw new CommandError(printable(`${first.file}: ${first.message}.`));
}

async function readDraft(
  api: Client,
  { id }: Draft,
): Promise<{ texts: DraftLocales; etag: string }> {
  const { texts, etag } = await api('GET /listing-drafts/{id}', { params: { id } });
  return {
    texts: new Map(texts.map((one): [string, DraftTexts] => [one.locale, one.texts])),
    etag,
  };
}

function print(differences: readonly Difference[], { json }: ListingOptions): void {
  if (json) return console.log(JSON.stringify({ differences }, null, 2));
  for (const { locale, field, folder, draft } of differences) {
    console.log(`${printable(locale)} ${field}`);
    console.log(`  folder  ${show(folder)}`);
    console.log(`  draft   ${show(draft)}`);
  }
}

const shownCharacters = 200;
/** As JSON, so that line ends and control characters are visible and move no cursor. */
function show(text: string | null): string {
  if (text === null) return '–';
  const shown = JSON.stringify(text.slice(0, shownCharacters));
  return text.length > shownCharacters ? `${shown} … (${text.length} characters)` : shown;
}

function parseId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Not the id of an app.');
  return Number(text);
}
