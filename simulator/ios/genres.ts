/** The store's genre of each subject. */
const genres: Readonly<Record<string, number>> = {
  Productivity: 6007,
  'Health & Fitness': 6013,
  Lifestyle: 6012,
  Finance: 6015,
  Utilities: 6002,
  Education: 6017,
  'Photo & Video': 6008,
  Music: 6011,
  Travel: 6003,
  'Food & Drink': 6023,
  Shopping: 6024,
  'Social Networking': 6005,
  Games: 6014,
  Business: 6000,
  News: 6009,
  Weather: 6001,
};

export function genreOf(subject: string): number {
  const genre = genres[subject];
  if (genre === undefined) throw new Error(`no genre for ${subject}`);
  return genre;
}
