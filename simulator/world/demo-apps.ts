import type { StoreName } from '#stores/profiles.ts';

/**
 * The position of a store's demo app for a phrase. It oscillates around `position` by `swing`
 * e-folds, once in `periodDays`.
 */
export interface DemoPhrase {
  phrase: string;
  /** By store. A store without a position has no demo app. */
  position: Readonly<Partial<Record<StoreName, number>>>;
  swing: number;
  periodDays: number;
}

const at = (
  phrase: string,
  ios: number,
  android: number,
  swing: number,
  periodDays: number,
): DemoPhrase => ({
  phrase,
  position: { ios, android },
  swing,
  periodDays,
});

export const demoPhrases: readonly DemoPhrase[] = [
  at('habit tracker', 9, 14, 0.5, 45),
  at('habit tracker free', 24, 31, 0.4, 60),
  at('mood journal', 3, 5, 0.5, 38),
  at('mood tracker', 12, 8, 0.6, 52),
  at('daily planner', 58, 41, 0.5, 70),
  at('gratitude journal', 17, 26, 0.4, 41),
  at('self care', 120, 95, 0.4, 90),
  at('routine planner', 31, 22, 0.5, 33),
  at('journal', 185, 210, 0.25, 28),
  at('goal tracker', 44, 66, 0.6, 64),
  at('streak counter', 2, 4, 0.6, 30),
  at('diary with lock', 160, 140, 0.4, 55),
  at('mental health', 205, 190, 0.2, 24),
  at('calm', 240, 250, 0.15, 30),
  at('lumen', 1, 1, 0.1, 60),
  at('lumen habits', 1, 1, 0, 60),
  at('bullet journal', 75, 88, 0.5, 47),
  at('morning routine', 20, 13, 0.6, 36),
  at('habit', 33, 39, 0.5, 50),
  at('wellness', 195, 230, 0.2, 26),
];

export interface DemoApp {
  store: StoreName;
  storeAppId: string;
  bundleId: string;
  brand: string;
  title: string;
  /** The title after the rename on a fixed day of every other month. */
  laterTitle: string;
  subtitle: string;
  laterSubtitle: string;
  developer: string;
  subject: string;
  description: string;
}

const description = [
  'Lumen is a habit tracker and mood journal in one calm app. Build a morning routine, keep ' +
    'your streak, and see how your habits change your mood.',
  'HABIT TRACKER: daily habits, weekly goals, flexible schedules, streak counter, gentle ' +
    'reminders and widgets.',
  'MOOD JOURNAL: log your mood in two taps, write a gratitude journal, add photos, and look ' +
    'back with a private diary with lock.',
  'DAILY PLANNER: plan your day, your routine and your self care beside your habits, so that ' +
    'nothing is forgotten.',
  'INSIGHTS: charts show which habits lift your mood, which routine helps your sleep, and ' +
    'how your mental health moves over the months.',
  'PRIVATE BY DESIGN: your journal stays on your device. No account, no ads, no tracking.',
  'Whether you want a simple goal tracker, a bullet journal, or a place for wellness and ' +
    'calm, Lumen grows with you, one small habit at a time.',
].join('\n\n');

export const demoApps: readonly DemoApp[] = [
  {
    store: 'ios',
    storeAppId: '1500000001',
    bundleId: 'app.lumen.journal',
    brand: 'Lumen',
    title: 'Lumen: Habit & Mood Journal',
    laterTitle: 'Lumen: Habit Tracker & Journal',
    subtitle: 'Daily planner & self care',
    laterSubtitle: 'Routine planner & mood diary',
    developer: 'Lumen Works',
    subject: 'Health & Fitness',
    description,
  },
  {
    store: 'android',
    storeAppId: 'app.lumen.habits',
    bundleId: 'app.lumen.habits',
    brand: 'Lumen',
    title: 'Lumen: Habit & Mood Journal',
    laterTitle: 'Lumen: Habit Tracker, Journal',
    subtitle: 'Habit tracker, mood journal and daily planner in one calm app',
    laterSubtitle: 'Build habits, keep a mood journal, plan your daily routine',
    developer: 'Lumen Works',
    subject: 'Health & Fitness',
    description,
  },
];
