import { demoApps, demoPhrases } from '../../simulator/world/demo-apps.ts';
import type { DemoAct } from '../boot/demo-acts.ts';
import type { DemoApp, DemoPlan } from '../boot/seed-demo.ts';
import { addDays, type UtcDay } from '../lib/dates.ts';
import type { SimulatorProcess } from './simulator-process.ts';

export const demoEmail = 'demo@example.com';
/** What the simulated stores of a demo are: a small world, searches of 60 places on iOS and one page of 30 on Android. */
export const demoSimulatorOptions = [
  '--android-regime',
  'web30',
  '--plain',
  '--apps',
  '800',
  '--results-per-search',
  '60',
];

const countries = ['us', 'de', 'jp', 'br'];
const phrases = 15;
const relationship = 'same job';
const tagColors = { brand: '#7c3aed', core: '#0ea5e9', 'long tail': '#64748b' };

const keywordFields = [
  'habit,routine,streak,goal,planner,diary,gratitude,mindful,lumen,habits,daily,sleep,water,steps',
  'routine,streak,goal,diary,lock,gratitude,bullet,mindful,focus,sleep,water,reminder,widget,wellness',
];

/** `historyDays` that end yesterday, of which the last `dailyDays` do all that a day does: two apps, 60 keywords in 4 countries, gaps, and people who work with what they see. */
export function planDemo(options: {
  simulator: Pick<SimulatorProcess, 'setNow' | 'setFaults'>;
  password: string;
  today: UtcDay;
  historyDays: number;
  dailyDays: number;
  afterDay(day: UtcDay): void;
}): DemoPlan {
  const { simulator, password, today, historyDays, dailyDays } = options;
  const firstDay = addDays(today, -historyDays);
  const at = (share: number) => addDays(firstDay, Math.floor(historyDays * share));
  const outOfOrder = at(0.2);
  return {
    email: demoEmail,
    password,
    apps: demoApps.map((app) => ({
      store: app.store,
      storeAppId: app.storeAppId,
      keywords: listKeywords(),
      acts: listActs(app.store, at),
    })),
    tagColors,
    firstDay,
    lastDay: addDays(today, -1),
    dailyFrom: addDays(today, -dailyDays),
    offDays: Array.from({ length: Math.max(1, Math.floor(historyDays / 40)) }, (_, index) =>
      addDays(at(1 / 3), index),
    ),
    // On one day the iOS store is out of order, so that people see what a gap with its reason looks like.
    beforeDay: async (day) => {
      await simulator.setNow(new Date(`${day}T02:00:00Z`));
      await simulator.setFaults(
        day === outOfOrder ? [{ fault: '503', store: 'ios', probability: 0.7 }] : [],
      );
    },
    afterDay: options.afterDay,
  };
}

function listKeywords(): DemoApp['keywords'] {
  return demoPhrases.slice(0, phrases).flatMap(({ phrase }, index) => {
    const tags = [
      phrase.startsWith('lumen') ? 'brand' : phrase.includes(' ') ? 'long tail' : 'core',
    ];
    return [
      { phrase, country: countries[0]!, tags },
      { phrase, country: countries[1 + (index % (countries.length - 1))]!, tags },
    ];
  });
}

function listActs(store: DemoApp['store'], at: (share: number) => UtcDay): DemoAct[] {
  const acts: DemoAct[] = [
    { day: at(0.25), kind: 'note', text: 'New screenshots are live in all countries' },
    // Their places before that day come from the kept results.
    { day: at(0.5), kind: 'competitors', count: 2, relationship },
    {
      day: at(0.7),
      kind: 'note',
      text: 'Newsletter feature: more searches for the brand are to be expected',
    },
  ];
  if (store === 'android') return acts;
  const [first, second] = keywordFields as [string, string];
  return [
    { day: at(0), kind: 'keyword-field', text: first },
    ...acts,
    { day: at(0.5), kind: 'keyword-field', text: second },
    {
      day: at(0.5),
      kind: 'note',
      text: 'Keyword field: brand and title words out, lock, bullet and widget in',
    },
  ];
}
