interface PlayCategory {
  id: string;
  name: string;
}

/** The store's category of each subject. */
const categories: Readonly<Record<string, PlayCategory>> = {
  Productivity: { id: 'PRODUCTIVITY', name: 'Productivity' },
  'Health & Fitness': { id: 'HEALTH_AND_FITNESS', name: 'Health & Fitness' },
  Lifestyle: { id: 'LIFESTYLE', name: 'Lifestyle' },
  Finance: { id: 'FINANCE', name: 'Finance' },
  Utilities: { id: 'TOOLS', name: 'Tools' },
  Education: { id: 'EDUCATION', name: 'Education' },
  'Photo & Video': { id: 'PHOTOGRAPHY', name: 'Photography' },
  Music: { id: 'MUSIC_AND_AUDIO', name: 'Music & Audio' },
  Travel: { id: 'TRAVEL_AND_LOCAL', name: 'Travel & Local' },
  'Food & Drink': { id: 'FOOD_AND_DRINK', name: 'Food & Drink' },
  Shopping: { id: 'SHOPPING', name: 'Shopping' },
  'Social Networking': { id: 'SOCIAL', name: 'Social' },
  Games: { id: 'GAME_PUZZLE', name: 'Puzzle' },
  Business: { id: 'BUSINESS', name: 'Business' },
  News: { id: 'NEWS_AND_MAGAZINES', name: 'News & Magazines' },
  Weather: { id: 'WEATHER', name: 'Weather' },
};

export function categoryOf(subject: string): PlayCategory {
  const category = categories[subject];
  if (category === undefined) throw new Error(`no category for ${subject}`);
  return category;
}
