import { mix } from '../world/hash.ts';
import { BoundedCache } from '../world/bounded-cache.ts';
import type { SimListing } from '../world/listing.ts';
import { subjects } from '../world/words.ts';
import { iconOf, screenshotsOf } from '../world/artwork.ts';
import { imageAddress } from './artwork.ts';
import { genreOf } from './genres.ts';

const devices =
  'iPhone5s,iPadAir,iPadAirCellular,iPhone6,iPhone6Plus,iPadAir2,iPhone6s,iPhone6sPlus,iPadPro,iPhoneSE,iPhone7,iPhone7Plus,iPhone8,iPhone8Plus,iPhoneX,iPhoneXS,iPhoneXSMax,iPhoneXR,iPhone11,iPhone11Pro,iPhone12,iPhone12Mini,iPhone12Pro,iPhone13,iPhone13Mini,iPhone13Pro,iPhone14,iPhone14Plus,iPhone15,iPhone15Pro,iPhone16,iPhone16Pro'
    .split(',')
    .map((name) => `${name}-${name}`);

export interface CardOptions {
  country: string;
  detail: 'lean' | 'full';
  kind: 'software' | 'mac-software';
}

/** A result of /search and /lookup, with the 40-odd keys of the recording of 2026-05. */
export function toItunesRecord(listing: SimListing, options: CardOptions): Record<string, unknown> {
  const { app } = listing;
  const { country, kind } = options;
  const id = Number(app.storeAppId);
  const art = (size: number) => imageAddress(iconOf(app), `${size}x${size}bb.jpg`);
  const shots = screenshotsOf(listing).map((name) => imageAddress(name, '392x696bb.jpg'));
  const subject = subjects[app.subject]!;
  return {
    screenshotUrls: shots,
    ipadScreenshotUrls: [],
    appletvScreenshotUrls: [],
    artworkUrl60: art(60),
    artworkUrl100: art(100),
    artworkUrl512: art(512),
    artistViewUrl: `https://apps.apple.com/${country}/developer/${slug(app.developer)}/id${app.developerId}?uo=4`,
    isGameCenterEnabled: subject.name === 'Games',
    features: ['iosUniversal'],
    advisories: [],
    supportedDevices: listDevices(app.seed, options.detail),
    kind,
    trackId: id,
    trackName: listing.title,
    trackCensoredName: listing.title,
    trackViewUrl: `https://apps.apple.com/${country}/app/${slug(listing.title)}/id${id}?uo=4`,
    bundleId: app.bundleId,
    artistId: Number(app.developerId),
    artistName: app.developer,
    sellerName: app.developer,
    ...(app.seed % 5 === 0
      ? {}
      : { sellerUrl: `https://${app.bundleId.split('.').slice(0, 2).reverse().join('.')}/` }),
    genres: [listing.category],
    genreIds: [String(genreOf(subject.name))],
    primaryGenreId: genreOf(subject.name),
    primaryGenreName: subject.name,
    price: listing.priceCents / 100,
    formattedPrice: listing.priceCents === 0 ? 'Free' : `$${(listing.priceCents / 100).toFixed(2)}`,
    currency: listing.currency,
    ...ratingFacts(listing),
    version: listing.version,
    releaseDate: dateOf(app.releasedOn),
    currentVersionReleaseDate: dateOf(listing.updatedOn),
    ...(listing.version.startsWith('1.0.') ? {} : { releaseNotes: listing.releaseNotes }),
    description: listing.description,
    fileSizeBytes: String(8_000_000 + (app.seed % 400_000_000)),
    minimumOsVersion: `${14 + (app.seed % 4)}.0`,
    languageCodesISO2A: ['EN', 'DE', 'FR', 'JA', 'ES'].slice(0, 1 + (app.seed % 5)),
    trackContentRating: '4+',
    contentAdvisoryRating: '4+',
    isVppDeviceBasedLicensingEnabled: true,
    wrapperType: 'software',
  };
}

/** A new app has no rating: the store omits the keys or writes zeros. */
function ratingFacts(listing: SimListing): Record<string, number> {
  const { rating, ratingCount } = listing;
  if (rating === null || ratingCount === null)
    return listing.app.seed % 2 === 0 ? {} : { userRatingCount: 0 };
  return {
    averageUserRating: rating,
    userRatingCount: ratingCount,
    averageUserRatingForCurrentVersion: rating,
    userRatingCountForCurrentVersion: ratingCount,
  };
}

function listDevices(seed: number, detail: 'lean' | 'full'): string[] {
  const count = detail === 'full' ? devices.length : 3;
  const start = mix(seed, 91) % devices.length;
  return Array.from({ length: count }, (_, step) => devices[(start + step * 7) % devices.length]!);
}

const dates = new BoundedCache<string>(20_000);

export function dateOf(day: number): string {
  return dates.take(
    String(day),
    () => `${new Date(day * 86_400_000).toISOString().slice(0, 10)}T08:00:00Z`,
  );
}

const slugs = new BoundedCache<string>(20_000);

export function slug(text: string): string {
  return slugs.take(
    text,
    () =>
      text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'app',
  );
}
