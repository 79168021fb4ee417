import { writeCsv, type CsvValue } from '#lib/csv-writer.ts';
import { iosProfile } from '#stores/ios/profile.ts';
import { popularityGenres, type PopularityGenre } from '#stores/profile.ts';
import { demandFor } from '../world/hints.ts';
import { subjects } from '../world/words.ts';
import { genreOf } from './genres.ts';

/** The labels of Apple's file, with its spelling of the ninth. */
const labels: Readonly<Record<PopularityGenre, string>> = {
  business: 'Business',
  education: 'Education',
  entertainment: 'Entertainment',
  finance: 'Finance',
  food_drink: 'Food & Drink',
  games: 'Games',
  health_fitness: 'Health & Fitness',
  lifestyle: 'Lifestyle',
  new_publication: 'New & Publication',
  photo_video: 'Photo & Video',
  productivity_utilities: 'Productivity & Utilities',
  shopping: 'Shopping',
  social_networking: 'Social Networking',
  sports: 'Sports',
  travel: 'Travel',
};
const header = [
  'Month',
  'Country or Region',
  'Genre',
  'Search Term',
  'Rank in Genre',
  'Search Popularity in Genre (1-100)',
  'Search Popularity (1-100)',
  'Search Popularity (1-5)',
];
const additions = ['', 'free', 'app', 'best', 'pro', 'simple', 'for beginners', 'offline'];
const listed = 60;

/** Apple's monthly search terms as CSV, in the order of the world's demand. Months begin a line. */
export function makePopularityFile(
  months: readonly string[],
  countries: readonly (readonly [code: string, name: string])[],
): string {
  const rows = months.flatMap((month) =>
    countries.flatMap(([code, name]) => listRows({ month, code, name })),
  );
  return writeCsv([header, ...rows]);
}

function listRows(of: { month: string; code: string; name: string }): CsvValue[][] {
  const { month, code, name } = of;
  return listPopularity(code, `${month}-15`).map((row) => [
    month,
    name,
    labels[row.genre],
    row.term,
    row.rank,
    row.inGenre,
    row.popularity,
    row.level,
  ]);
}

export interface WorldTerm {
  genre: PopularityGenre;
  term: string;
  rank: number;
  inGenre: number;
  popularity: number;
  level: number;
}

/** The terms of a country by genre and rank, in the order of the world's demand on a day. */
export function listPopularity(country: string, day: string): WorldTerm[] {
  const of = { code: country, day };
  const genres = Map.groupBy(subjects, ({ name }) => genreOfCategory(String(genreOf(name))));
  const all = [...genres].flatMap(([genre, inGenre]) =>
    genre === undefined
      ? []
      : rankTerms(
          inGenre.flatMap(({ nouns }) => nouns),
          of,
        ).map((term) => ({ ...term, genre })),
  );
  const most = Math.max(...all.map(({ demand }) => demand));
  return all.map(({ term, rank, demand, first, genre }) => {
    const popularity = scale(demand / most);
    const inGenre = scale(demand / first);
    const level = Math.max(1, Math.ceil(popularity / 20));
    return { genre, term, rank, inGenre, popularity, level };
  });
}

function genreOfCategory(id: string): PopularityGenre | undefined {
  return popularityGenres.find((genre) =>
    iosProfile.popularity?.categories[genre].split(' ').includes(id),
  );
}

function rankTerms(nouns: readonly string[], of: { code: string; day: string }) {
  const terms = nouns
    .flatMap((noun) =>
      additions.map((addition, index) => {
        const term = addition === '' ? noun : `${noun} ${addition}`;
        const demand = (1.4 - index / 10) * demandFor(term, of.code, of.day);
        return { term, demand: Math.max(0.001, demand) };
      }),
    )
    .toSorted((a, b) => b.demand - a.demand)
    .slice(0, listed);
  return terms.map((term, index) => ({ ...term, rank: index + 1, first: terms[0]!.demand }));
}

const scale = (share: number): number => Math.max(1, Math.round(40 + 60 * Math.min(1, share)));
