import type { StoreName } from '../ports.ts';

type Row = readonly [id: string, name: string, parentId: string | null];

/** The stores' own ids, for pickers and names; what a store adds later works all the same, without a name. */
const ios: readonly Row[] = [
  ['6018', 'Books', null],
  ['6000', 'Business', null],
  ['6026', 'Developer Tools', null],
  ['6017', 'Education', null],
  ['6016', 'Entertainment', null],
  ['6015', 'Finance', null],
  ['6023', 'Food & Drink', null],
  ['6014', 'Games', null],
  ['6027', 'Graphics & Design', null],
  ['6013', 'Health & Fitness', null],
  ['6012', 'Lifestyle', null],
  ['6021', 'Magazines & Newspapers', null],
  ['6020', 'Medical', null],
  ['6011', 'Music', null],
  ['6010', 'Navigation', null],
  ['6009', 'News', null],
  ['6008', 'Photo & Video', null],
  ['6007', 'Productivity', null],
  ['6006', 'Reference', null],
  ['6024', 'Shopping', null],
  ['6005', 'Social Networking', null],
  ['6004', 'Sports', null],
  ['6003', 'Travel', null],
  ['6002', 'Utilities', null],
  ['6001', 'Weather', null],
  ['7001', 'Action', '6014'],
  ['7002', 'Adventure', '6014'],
  ['7004', 'Board', '6014'],
  ['7005', 'Card', '6014'],
  ['7006', 'Casino', '6014'],
  ['7003', 'Casual', '6014'],
  ['7009', 'Family', '6014'],
  ['7011', 'Music', '6014'],
  ['7012', 'Puzzle', '6014'],
  ['7013', 'Racing', '6014'],
  ['7014', 'Role Playing', '6014'],
  ['7015', 'Simulation', '6014'],
  ['7016', 'Sports', '6014'],
  ['7017', 'Strategy', '6014'],
  ['7018', 'Trivia', '6014'],
  ['7019', 'Word', '6014'],
];

const android: readonly Row[] = [
  ['ART_AND_DESIGN', 'Art & Design', null],
  ['AUTO_AND_VEHICLES', 'Auto & Vehicles', null],
  ['BEAUTY', 'Beauty', null],
  ['BOOKS_AND_REFERENCE', 'Books & Reference', null],
  ['BUSINESS', 'Business', null],
  ['COMICS', 'Comics', null],
  ['COMMUNICATION', 'Communication', null],
  ['DATING', 'Dating', null],
  ['EDUCATION', 'Education', null],
  ['ENTERTAINMENT', 'Entertainment', null],
  ['EVENTS', 'Events', null],
  ['FINANCE', 'Finance', null],
  ['FOOD_AND_DRINK', 'Food & Drink', null],
  ['HEALTH_AND_FITNESS', 'Health & Fitness', null],
  ['HOUSE_AND_HOME', 'House & Home', null],
  ['LIBRARIES_AND_DEMO', 'Libraries & Demo', null],
  ['LIFESTYLE', 'Lifestyle', null],
  ['MAPS_AND_NAVIGATION', 'Maps & Navigation', null],
  ['MEDICAL', 'Medical', null],
  ['MUSIC_AND_AUDIO', 'Music & Audio', null],
  ['NEWS_AND_MAGAZINES', 'News & Magazines', null],
  ['PARENTING', 'Parenting', null],
  ['PERSONALIZATION', 'Personalization', null],
  ['PHOTOGRAPHY', 'Photography', null],
  ['PRODUCTIVITY', 'Productivity', null],
  ['SHOPPING', 'Shopping', null],
  ['SOCIAL', 'Social', null],
  ['SPORTS', 'Sports', null],
  ['TOOLS', 'Tools', null],
  ['TRAVEL_AND_LOCAL', 'Travel & Local', null],
  ['VIDEO_PLAYERS', 'Video Players', null],
  ['WEATHER', 'Weather', null],
  ['GAME', 'Games', null],
  ['GAME_ACTION', 'Action', 'GAME'],
  ['GAME_ADVENTURE', 'Adventure', 'GAME'],
  ['GAME_ARCADE', 'Arcade', 'GAME'],
  ['GAME_BOARD', 'Board', 'GAME'],
  ['GAME_CARD', 'Card', 'GAME'],
  ['GAME_CASINO', 'Casino', 'GAME'],
  ['GAME_CASUAL', 'Casual', 'GAME'],
  ['GAME_EDUCATIONAL', 'Educational', 'GAME'],
  ['GAME_MUSIC', 'Music', 'GAME'],
  ['GAME_PUZZLE', 'Puzzle', 'GAME'],
  ['GAME_RACING', 'Racing', 'GAME'],
  ['GAME_ROLE_PLAYING', 'Role Playing', 'GAME'],
  ['GAME_SIMULATION', 'Simulation', 'GAME'],
  ['GAME_SPORTS', 'Sports', 'GAME'],
  ['GAME_STRATEGY', 'Strategy', 'GAME'],
  ['GAME_TRIVIA', 'Trivia', 'GAME'],
  ['GAME_WORD', 'Word', 'GAME'],
];

export interface StoreCategoryRecord {
  id: string;
  name: string;
  parentId: string | null;
}

export function listCategories(store: StoreName): StoreCategoryRecord[] {
  return (store === 'ios' ? ios : android).map(([id, name, parentId]) => ({ id, name, parentId }));
}

/** Null for an id that is not in the table. */
export function categoryName(store: StoreName, id: string): string | null {
  return (store === 'ios' ? ios : android).find((row) => row[0] === id)?.[1] ?? null;
}
