import { chartArgument, chartRpc } from '#stores/android/chart-request.ts';
import { parsePlayPage } from '#stores/android/parse-page.ts';
import { parsePlaySearch } from '#stores/android/parse-search.ts';
import { startSimulator } from '#simulator/server.ts';
import {
  readAppleTree,
  readFramesTree,
  readJsonTree,
  readPlayTree,
  readXmlTree,
  type BodyTree,
} from './body-tree.ts';
import { hasRecordings, readRecording } from './fixtures.ts';
import type { ParserName, ReadingQuery } from './mutation-readings.ts';

export interface MutableBody {
  name: string;
  parser: ParserName;
  body: string;
  query: ReadingQuery;
}

const trees: Record<ParserName, (body: string) => BodyTree> = {
  itunesSearch: readJsonTree,
  itunesLookup: readJsonTree,
  itunesChart: readJsonTree,
  itunesReviews: readJsonTree,
  itunesHints: readXmlTree,
  itunesReviewsXml: readXmlTree,
  applePage: readAppleTree,
  webSearch: readAppleTree,
  playSearch: (body) => readPlayTree(body, ['lGYRle']),
  playDetails: (body) => readPlayTree(body, ['Ws7gDc']),
  playPage: (body) => readPlayTree(body, ['Ws7gDc', 'ag2B9c']),
  playCluster: (body) => readPlayTree(body, ['CNT7ob']),
  playContinuation: readFramesTree,
  playReviews: readFramesTree,
  playChart: readFramesTree,
  playHints: readFramesTree,
};

export const readTree = ({ parser, body }: MutableBody): BodyTree => trees[parser](body);

const [ios, android] = ['1500000001', 'app.lumen.habits'];
const anything = { country: 'us', phrase: 'habit tracker', category: null };

/** All recordings that a parser accepts; none where their folder is absent. */
export function listRecordings(): MutableBody[] {
  const recording = (parser: ParserName, path: string, storeAppId = '') => ({
    name: path,
    parser,
    body: readRecording(path),
    query: { ...anything, storeAppId },
  });
  const translate = 'com.google.android.apps.translate';
  if (!hasRecordings) return [];
  return [
    recording('itunesSearch', 'ios/search/mas-slack.json'),
    recording('itunesSearch', 'ios/search/addapp-search.json'),
    recording('itunesLookup', 'ios/lookup/keywordista-headspace-us.json'),
    recording('itunesLookup', 'ios/lookup/mas-slack-lookup.json'),
    recording('itunesLookup', 'ios/lookup/fastlane-empty.json'),
    recording('itunesReviews', 'ios/reviews-rss-json/jcoynel-497799835_fr_1.json'),
    recording('itunesReviews', 'ios/reviews-rss-json/jcoynel-1510826067_gb_1.json'),
    recording('itunesReviews', 'ios/reviews-rss-json/jcoynel-empty_page.json'),
    recording('applePage', 'ios/app-page/headspace-us.html', '493145008'),
    recording('itunesHints', 'ios/hints/SYNTHETIC-hints-photo-us.xml'),
    recording('itunesHints', 'ios/hints/SYNTHETIC-hints-no-storefront.xml'),
    recording('playSearch', 'android/search/panda.html'),
    recording('playDetails', 'android/app-details/translate.html', translate),
    recording('playPage', 'android/app-details/translate.html', translate),
    recording('playReviews', 'android/reviews/translate-initial.txt'),
    recording('playChart', 'android/charts/topfree-game.txt'),
    recording('playHints', 'android/suggest/pand.txt'),
    recording('playCluster', 'android/similar/translate-cluster.html'),
  ];
}

/** A body of every kind from the simulator. */
export async function renderBodies(): Promise<MutableBody[]> {
  const simulator = await startSimulator({
    seed: 7,
    now: new Date('2026-07-15T12:00:00Z'),
    world: { apps: 1_500 },
    compress: false,
  });
  const get = async (address: string, init: RequestInit = {}) =>
    (await fetch(`${simulator.baseUrl}/${address}`, init)).text();
  const call = (rpcId: string, argument: unknown) =>
    get('play.google.com/_/PlayStoreUi/data/batchexecute?hl=en&gl=us', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'NID=sim' },
      body: new URLSearchParams({
        'f.req': JSON.stringify([[[rpcId, JSON.stringify(argument), null, 'generic']]]),
      }).toString(),
    });
  const term = encodeURIComponent(anything.phrase);
  const feed = `itunes.apple.com/us/rss/customerreviews/page=1/id=${ios}/sortby=mostrecent`;
  const play = 'play.google.com/store';
  const search = await get(`${play}/search?q=${term}&c=apps&hl=en&gl=us`);
  const details = await get(`${play}/apps/details?id=${android}&hl=en&gl=us`);
  const { token } = parsePlaySearch(search);
  const cluster = parsePlayPage(details, { storeAppId: android }).similarPath!;
  const chart = { chart: 'free' as const, category: null, limit: 100 };
  const bodies: Record<ParserName, string> = {
    itunesSearch: await get(`itunes.apple.com/search?term=${term}&country=us&limit=20`),
    itunesLookup: await get(
      `itunes.apple.com/lookup?id=${simulator
        .order({ store: 'ios', phrase: anything.phrase, country: 'us' })
        .slice(0, 8)
        .join()}&country=us`,
    ),
    itunesChart: await get('itunes.apple.com/us/rss/topfreeapplications/limit=20/genre=6013/json'),
    itunesReviews: await get(`${feed}/json`),
    itunesReviewsXml: await get(`${feed}/xml`),
    itunesHints: await get('search.itunes.apple.com/WebObjects/MZSearchHints.woa/wa/hints?term=h', {
      headers: { 'x-apple-store-front': '143441-1,29' },
    }),
    applePage: await get(`apps.apple.com/us/app/id${ios}`),
    webSearch: await get(`apps.apple.com/us/iphone/search?term=${term}`),
    playSearch: search,
    playDetails: details,
    playPage: details,
    playCluster: await get(`play.google.com${cluster}`),
    playContinuation: await call('qnKhOb', [[null, [[10, [10, 100]]], null, token]]),
    playReviews: await call('UsvDTd', [
      null,
      null,
      [2, 2, [30, null, null], null, []],
      [android, 7],
    ]),
    playChart: await call(chartRpc, chartArgument(chart)),
    playHints: await call('IJ4APc', [[null, ['hab'], [10], [2], 4]]),
  };
  await simulator.close();
  return Object.entries(bodies).map(([parser, body]) => ({
    name: `simulator ${parser}`,
    parser: parser as ParserName,
    // The port is another one in every run, and a seed must repeat its mutations.
    body: body.replaceAll(simulator.baseUrl, 'http://simulator.example'),
    query: {
      ...anything,
      storeAppId: parser.startsWith('play') ? android : ios,
      category: parser === 'itunesChart' ? '6013' : null,
    },
  }));
}
