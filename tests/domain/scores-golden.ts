/**
 * Searches of the simulator (seed 1, 2026-03-01) as stored: the first ten positions, and where the
 * phrase was offered.
 */
export interface GoldenMarket {
  phrase: string;
  country: string;
  resultCount: number;
  hints: [prefix: string, position: number | null][];
  top: [title: string, developer: string, rating: number, ratingCount: number][];
}

export const goldenMarkets: GoldenMarket[] = [
  {
    phrase: 'habit tracker',
    country: 'us',
    resultCount: 200,
    hints: [
      ['h', null],
      ['ha', 8],
      ['hab', 3],
      ['habi', 3],
      ['habit', 3],
      ['habit tra', 2],
      ['habit tracker', 2],
    ],
    top: [
      ['Nosy: Habit Tracker', 'Nimble Software', 4.54052, 406581],
      ['Spavia: Habit Tracker', 'Bomo Interactive', 4.53395, 1544436],
      ['Briflow - Daily Notes', 'Novia Studio', 3.92953, 894],
      ['Kamind: Habit Tracker', 'Junmen Works', 4.14059, 10655],
      ['Spasy: Habit Tracker', 'Trenest Studio', 4.20755, 53],
      ['Zenwell: Habit Tracker', 'Halup Works', 4.64751, 22554],
      ['Groly - Pro Time Tracker', 'Calble Collective', 3.98338, 675571],
      ['Ivnest - Pro Daily Planner', 'Ramo Labs', 4.18889, 109338],
      ['Junup: Stocks', 'Solzio Interactive', 4.36649, 104675],
      ['Pasy: Second Hand', 'Finro Studio', 4.02581, 32784],
    ],
  },
  {
    phrase: 'mood journal',
    country: 'de',
    resultCount: 200,
    hints: [
      ['m', 1],
      ['mo', 1],
      ['moo', 1],
      ['mood', 1],
      ['mood j', 1],
      ['mood jour', 1],
      ['mood journal', 1],
    ],
    top: [
      ['Finpad: Self Care', 'Taup GmbH', 3.91833, 16886],
      ['Wildex: Gesundheit', 'Dribit Digital', 4.08508, 811],
      ['Nolane: Recipes', 'Miflow Digital', 4.51008, 426497],
      ['Lumen: Habit Tracker & Journal', 'Lumen Works', 4.43884, 12050],
      ['Wilton: Trip Planner', 'Halmo GmbH', 4.30594, 43617],
      ['Karo: Lifestyle', 'Spadot LLC', 4.59763, 46653],
      ['Bosy: Self Care', 'Calro LLC', 3.94321, 1768100],
      ['Spabit: Lifestyle', 'Nimlo Labs', 4.37908, 2147966],
      ['Trego: Meditation', 'Wilmo GmbH', 4.61505, 2725],
      ['Xanspark: Gesundheit', 'Xanpath Labs', 1, 1],
    ],
  },
  {
    phrase: 'chess',
    country: 'us',
    resultCount: 200,
    hints: [
      ['c', 3],
      ['ch', 1],
      ['che', 1],
      ['ches', 1],
      ['chess', 1],
    ],
    top: [
      ['Finbit: Crossword', 'Nimny Interactive', 4.32204, 218014],
      ['Kazio: Chess', 'Nobit LLC', 4.1745, 13404],
      ['Brilane - Quick Budget Planner', 'Ivly LLC', 4.66719, 15775],
      ['Solmind: Crossword', 'Vego GmbH', 4.65517, 362513],
      ['Nimta: Match 3', 'Elpath Labs', 4.6158, 301591],
      ['Tredot - Calm Crossword', 'Solgo Mobile', 4.1026, 1462],
      ['Cloro: Bill Reminder', 'Para Apps', 4.21451, 1949504],
      ['Noton - Happy Bill Reminder', 'Gromind Digital', 4.42377, 1114954],
      ['Nimta - Simple Mahjong', 'Nowell Digital', 3.99237, 30929],
      ['Briwell - Happy Budget Planner', 'Briup Mobile', 4.07907, 323806],
    ],
  },
  {
    phrase: 'photo editor for kids',
    country: 'br',
    resultCount: 200,
    hints: [
      ['p', null],
      ['ph', 10],
      ['pho', 10],
      ['phot', 10],
      ['photo', 10],
      ['photo edi', 10],
      ['photo editor f', 3],
      ['photo editor for kids', 1],
    ],
    top: [
      ['Brimen: Camera Filters', 'Solflow Mobile', 4.6674, 14967],
      ['Brizio: Foto E Vídeo', 'Ivra Digital', 4.16362, 25089],
      ['Umisy: Camera Filters', 'Closy Digital', 3.96937, 199067],
      ['Junpath: Foto E Vídeo', 'Uminy Inc.', 4.43792, 3238],
      ['Clora: Foto E Vídeo', 'Tresy Collective', 4.19452, 87799],
      ['Elmen: Foto E Vídeo', 'Treflow Labs', 4.19355, 310],
      ['Miton: Foto E Vídeo', 'Wilra Apps', 4.58256, 32879],
      ['Callo: Foto E Vídeo', 'Rakit Inc.', 4.60449, 5838],
      ['Umiro: Video Editor', 'Grospark LLC', 4.26449, 949],
      ['Wilup: Foto E Vídeo', 'Zenton Inc.', 4.30302, 445772],
    ],
  },
  {
    phrase: '写真',
    country: 'jp',
    resultCount: 200,
    hints: [
      ['写', 1],
      ['写真', 1],
    ],
    top: [
      ['Bopath: Background Eraser', 'Finup LLC', 4.34522, 130586],
      ['Treny: 写真', 'Clolane Interactive', 4.69068, 536053],
      ['Halsy: 写真', 'Bowell Software', 4.26848, 912424],
      ['Sparo: Portrait', 'Kapath Labs', 4.6371, 168916],
      ['Yowise: 写真', 'Spalane GmbH', 3.91201, 545742],
      ['Wilup: 写真', 'Zenton Inc.', 4.30302, 509985],
      ['Junbit: 写真', 'Zenny GmbH', 4.28837, 902857],
      ['Nodex: 写真', 'Quisy Software', 4.19733, 125916],
      ['Cloup: 写真', 'Xanro Labs', 4.64751, 169380],
      ['Oridex: 写真', 'Brita GmbH', 4.07024, 4157],
    ],
  },
];
