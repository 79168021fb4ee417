import { makePopularityFile } from '#simulator/ios/popularity-file.ts';
import { demoApps, demoPhrases } from '#simulator/world/demo-apps.ts';
import type { DemoAction } from '#boot/demo-actions.ts';
import type { DemoApp, DemoPlan } from '#boot/seed-demo.ts';
import { addDays, maxDay, monthOf, type UtcDay } from '#lib/dates.ts';
import { listDeviceIds, profileOf } from '#stores/profiles.ts';
import type { SimulatorProcess } from './simulator-process.ts';

export const demoEmail = 'demo@example.com';
/**
 * The simulated stores of a demo: a small world with searches of 60 results on iOS, and one page of
 * 30 on Android.
 */
export const demoSimulatorOptions = [
  '--android-mode',
  'web30',
  '--plain',
  '--apps',
  '800',
  '--results-per-search',
  '60',
];

const countries = ['us', 'de', 'jp', 'br'];
const phrases = 15;
/** The phrases that are tracked on each other device of a store, too. */
const phrasesOnOtherDevices = 3;
const relationship = 'same job';
const tagColors = { brand: '#7c3aed', core: '#0ea5e9', 'long tail': '#64748b' };

const keywordFields = [
  'habit,routine,streak,goal,planner,diary,gratitude,mindful,lumen,habits,daily,sleep,water,steps',
  'routine,streak,goal,diary,lock,gratitude,bullet,mindful,focus,sleep,water,reminder,widget,wellness',
];

/**
 * `historyDays` that end yesterday, of which the last `dailyDays` run every kind of task: two apps,
 * 66 keywords in 4 countries, gaps, a change of the search provider and a day on which only the
 * fallback responds, and users who react to the results.
 */
export function planDemo(options: {
  simulator: Pick<SimulatorProcess, 'setNow' | 'setFaults'>;
  password: string;
  today: UtcDay;
  historyDays: number;
  dailyDays: number;
  /** The first day of the current search provider; by default 40 days ago. */
  providersFrom?: UtcDay;
  /** Credentials that the simulated Ads API accepts; none by default. */
  adsCredentials?: DemoPlan['adsCredentials'];
  afterDay(day: UtcDay): void;
}): DemoPlan {
  const { simulator, password, today, historyDays, dailyDays } = options;
  const firstDay = addDays(today, -historyDays);
  const at = (share: number) => addDays(firstDay, Math.floor(historyDays * share));
  const outOfOrder = at(0.2);
  // Days of two providers are not compared, so the 30 days that are shown first have only one.
  const providersFrom = options.providersFrom ?? maxDay(addDays(today, -40), firstDay);
  const fallbackDay = maxDay(addDays(today, -13), at(0.4));
  return {
    email: demoEmail,
    password,
    apps: demoApps.map((app) => ({
      store: app.store,
      storeAppId: app.storeAppId,
      keywords: listKeywords(app.store),
      acts: listDemoActions(app.store, at),
    })),
    tagColors,
    firstDay,
    lastDay: addDays(today, -1),
    dailyFrom: addDays(today, -dailyDays),
    offDays: Array.from({ length: Math.max(1, Math.floor(historyDays / 40)) }, (_, index) =>
      addDays(at(1 / 3), index),
    ),
    providersFrom,
    // The iOS store fails for one day, to show a gap with its reason, and its search page for
    // another one.
    beforeDay: async (day) => {
      await simulator.setNow(new Date(`${day}T02:00:00Z`));
      const faults = [
        { day: outOfOrder, fault: '503', store: 'ios', probability: 0.7 },
        { day: fallbackDay, fault: '503', host: 'apps.apple.com', kind: 'search' },
      ];
      const ofDay = faults.filter((fault) => fault.day === day);
      await simulator.setFaults(ofDay.map(({ day: _, ...rule }) => rule));
    },
    afterDay: options.afterDay,
    popularity: planPopularity(today),
    adsCredentials: options.adsCredentials ?? null,
  };
}

/** The last two whole months of Apple's search terms. */
function planPopularity(today: UtcDay): DemoPlan['popularity'] {
  const month = (of: UtcDay) => addDays(monthOf(of), -1);
  const [last, before] = [month(today), month(month(today))];
  const months = [before, last].map((day) => day.slice(0, 7));
  const text = makePopularityFile(months, [
    ['us', 'United States'],
    ['de', 'Germany'],
    ['jp', 'Japan'],
    ['br', 'Brazil'],
  ]);
  return { fileName: `monthly_search_term_rank_${months.at(-1)}.csv`, text };
}

function listKeywords(store: DemoApp['store']): DemoApp['keywords'] {
  const [, ...others] = listDeviceIds(store);
  return demoPhrases.slice(0, phrases).flatMap(({ phrase }, index) => {
    const tags = [
      phrase.startsWith('lumen') ? 'brand' : phrase.includes(' ') ? 'long tail' : 'core',
    ];
    const devices = index < phrasesOnOtherDevices ? others : [];
    return [
      { phrase, country: countries[0]!, tags },
      { phrase, country: countries[1 + (index % (countries.length - 1))]!, tags },
      ...devices.map((device) => ({ phrase, country: countries[0]!, device, tags })),
    ];
  });
}

function listDemoActions(store: DemoApp['store'], at: (share: number) => UtcDay): DemoAction[] {
  const acts: DemoAction[] = [
    { day: at(0.25), kind: 'note', text: 'New screenshots are live in all countries' },
    // Positions before that day come from stored results.
    { day: at(0.5), kind: 'competitors', count: 2, relationship },
    {
      day: at(0.7),
      kind: 'note',
      text: 'Newsletter feature: expect more searches for the brand',
    },
  ];
  if (profileOf(store).texts.keywordField === null) return acts;
  const [first, second] = keywordFields as [string, string];
  return [
    { day: at(0), kind: 'keyword-field', text: first },
    ...acts,
    { day: at(0.5), kind: 'keyword-field', text: second },
    {
      day: at(0.5),
      kind: 'note',
      text: 'Keyword field: removed brand and title words, added lock, bullet and widget',
    },
  ];
}
