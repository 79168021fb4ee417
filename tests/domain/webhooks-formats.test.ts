import { describe, expect, it } from 'vitest';
import { eventTypes } from '#contract/choices.ts';
import { eventSamples, type EventObject, type EventType } from '#contract/events.ts';
import { targetOf, writeBody } from '#domain/alerting/formats/index.ts';
import type { WebhookKind } from '#contract/receiver-kinds.ts';
import {
  isMasked,
  isShownAddressOf,
  maskAddress,
  maskBody,
} from '#domain/alerting/webhooks/mask-address.ts';

const urls: Record<Exclude<WebhookKind, 'standard'>, string> = {
  slack: 'https://hooks.slack.com/services/T/B/x',
  discord: 'https://discord.com/api/webhooks/1/x',
  telegram: 'https://api.telegram.org/bot1:x/sendMessage?chat_id=-100',
  ntfy: 'https://ntfy.sh/my-topic',
};
const kinds = Object.keys(urls) as (keyof typeof urls)[];

const event = (type: EventType, data: unknown = eventSamples[type]): EventObject => ({
  type,
  timestamp: '2026-11-21T12:00:00.000Z',
  data,
  id: 'evt_0123456789',
  sequence: 1,
  workspaceId: 1,
  app: { id: 3, store: 'ios', storeAppId: '1', name: 'Lumen <Habits> & *Co*' },
  links: { app: 'https://aso.example.org/api/backend/apps/3' },
});
const write = (kind: keyof typeof urls, events: EventObject[]) =>
  JSON.parse(writeBody({ kind, url: urls[kind] }, events));
const fell = (phrase: string) => event('rank.dropped', { ...eventSamples['rank.dropped'], phrase });

describe.each(kinds)('%s', (kind) => {
  it.each(eventTypes)('formats %s in words', (type) => {
    const text = JSON.stringify(write(kind, [event(type)]));
    expect(text).toContain('Lumen');
    expect(text).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('stays within the service’s limits for any number and length of texts', () => {
    const events = Array.from({ length: 200 }, (_, index) =>
      fell(`${index} ${'<&>"*_|`'.repeat(60)}`),
    );
    const body = write(kind, events);
    const text = JSON.stringify(body);
    expect(text).toMatch(/and \d+ more/);
    if (kind === 'slack') {
      expect(body.blocks.length).toBeLessThanOrEqual(50);
      for (const block of body.blocks.slice(1))
        expect(block.text.text.length).toBeLessThanOrEqual(3_000);
      expect(body.blocks[0].text.text.length).toBeLessThanOrEqual(150);
    }
    if (kind === 'discord')
      expect([
        body.embeds[0].title.length <= 256,
        body.embeds[0].description.length <= 4_096,
      ]).toEqual([true, true]);
    if (kind === 'telegram') expect(body.text.length).toBeLessThanOrEqual(4_096);
    if (kind === 'ntfy') expect(Buffer.byteLength(body.message)).toBeLessThanOrEqual(4_096);
  });
});

describe('store texts in chats are plain text', () => {
  const hostile = '<!channel> </b> *bold* [click](https://evil.example) @everyone <b>&amp;';

  it('slack mentions nobody', () => {
    const text = JSON.stringify(write('slack', [fell(hostile)]));
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toContain('<!channel>');
  });

  it('discord links and mentions nothing', () => {
    const body = write('discord', [fell(hostile)]);
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.embeds[0].description).not.toContain('[click](');
  });

  it('telegram’s HTML has only our tags', () => {
    const { text, chat_id: chatId } = write('telegram', [fell(hostile)]);
    expect(text.match(/<[^>]*>/g)).toEqual([
      '<b>',
      '</b>',
      '<a href="https://aso.example.org/apps/3">',
      '</a>',
    ]);
    expect(chatId).toBe('-100');
  });

  it('ntfy publishes at the root, to the topic of the address', () => {
    expect(targetOf({ kind: 'ntfy', url: urls.ntfy })).toBe('https://ntfy.sh/');
    expect(write('ntfy', [fell('x')])).toMatchObject({
      topic: 'my-topic',
      click: 'https://aso.example.org/apps/3',
    });
  });
});

describe('a message about several apps', () => {
  const inApp = (app: Partial<NonNullable<EventObject['app']>>, change: 'dropped' | 'improved') => {
    const made = event(`rank.${change}`);
    const id = app.id ?? 3;
    return {
      ...made,
      app: { ...made.app!, name: 'Lumen', ...app },
      links: { app: `https://example.org/aso/api/backend/apps/${id}` },
    };
  };

  it('names the app and its store in each line, also when both have one name', () => {
    const body = write('ntfy', [
      inApp({}, 'dropped'),
      inApp({ id: 4, store: 'android' }, 'improved'),
    ]);
    expect(body).toMatchObject({
      title: '2 apps: 2 keyword events',
      message:
        'Lumen (iOS): ▼ habit tracker (us) 8 → 21\n' +
        'Lumen (Android): ▲ habit tracker (us) >200 → 47',
      click: 'https://example.org/aso/alerts',
    });
  });

  it('of one app has it in the title alone, and links to it', () => {
    expect(write('ntfy', [inApp({}, 'dropped'), inApp({}, 'improved')])).toMatchObject({
      title: 'Lumen (iOS): 2 keyword events',
      message: '▼ habit tracker (us) 8 → 21\n▲ habit tracker (us) >200 → 47',
      click: 'https://example.org/aso/apps/3',
    });
  });
});

describe('a digest', () => {
  const sample = eventSamples['digest.weekly'];
  const ofWeek = (apps: number, moreApps: number): EventObject => ({
    ...event('digest.weekly', {
      ...sample,
      apps: Array.from({ length: apps }, (_, index) => ({
        ...sample.apps[0]!,
        appId: index + 1,
        name: `Lumen Habits and Goals, no. ${index + 1}`,
      })),
      moreApps,
    }),
    app: null,
    links: {
      about: 'https://aso.example.org/api/backend/digests/weekly?week=2026-11-16',
    },
  });

  it('has a line for each app, and links to its page', () => {
    const { title, message, click } = write('ntfy', [ofWeek(7, 0)]);
    expect([title, click]).toEqual([
      'Toprung: the week',
      'https://aso.example.org/digest?week=2026-11-16',
    ]);
    expect(message.split('\n')).toEqual([
      'Week of 2026-11-16',
      ...Array.from(
        { length: 7 },
        (_, index) =>
          `Lumen Habits and Goals, no. ${index + 1} (iOS): 19 of 120 in the top 10, ▲ 22 ▼ 15`,
      ),
    ]);
  });

  it.each(kinds)('says in %s how many apps it leaves out', (kind) => {
    const text = JSON.stringify(write(kind, [ofWeek(50, 3)]));
    expect(text.match(/in the top 10/g)).toHaveLength(19);
    expect(text).toContain('and 34 more');
  });
});

it('a new app is not said to be in a top 10 that the rule does not have', () => {
  const entrant = event('serp.entrant', { ...eventSamples['serp.entrant'], position: 34 });
  expect(write('ntfy', [entrant]).title).toMatch(/: a new app in the results$/);
});

it('a position that was not found is formatted as its bound, never 0 or empty', () => {
  const { text } = write('telegram', [event('rank.improved')]);
  expect(text).toContain('&gt;200 → 47');
});

describe('an address as it is shown', () => {
  const key = 'Zk3Rt9QmX2';
  it.each([
    ['slack', urls.slack, 'https://hooks.slack.com/…'],
    ['discord', urls.discord, 'https://discord.com/…'],
    ['telegram', urls.telegram, 'https://api.telegram.org/…?chat_id=-100'],
    ['ntfy', urls.ntfy, 'https://ntfy.sh/…'],
    ['slack', `https://chat.example.org/hooks/${key}`, 'https://chat.example.org/…'],
    ['standard', urls.slack, 'https://hooks.slack.com/…'],
    ['standard', 'https://example.org/', 'https://example.org/'],
    ['standard', 'https://example.org/api/v1/our-hook', 'https://example.org/api/v1/our-hook'],
    ['standard', `https://example.org:8443/hook?key=${key}`, 'https://example.org:8443/hook?…'],
    [
      'standard',
      `https://example.org/hooks/catch/12/abcdefg/`,
      'https://example.org/hooks/catch/…',
    ],
    ['standard', `https://example.org/${key}/events`, 'https://example.org/…'],
    ['standard', `https://example.org/${'a'.repeat(32)}`, 'https://example.org/…'],
  ] as const)('%s %s lacks its secret part', (kind, url, shown) => {
    expect(maskAddress({ kind, url })).toBe(shown);
    expect(isShownAddressOf({ kind, url }, shown)).toBe(true);
    expect(maskAddress({ kind, url: shown })).toBe(shown);
    expect(isMasked(shown)).toBe(shown !== url);
  });

  it('lacks the topic of ntfy in the body too', () => {
    const body = writeBody({ kind: 'ntfy', url: urls.ntfy }, [event('rank.dropped')]);
    expect(body).toContain('my-topic');
    expect(maskBody({ kind: 'ntfy', url: urls.ntfy, body })).not.toContain('my-topic');
  });
});

it('without PUBLIC_URL messages have no links', () => {
  const { text } = write('telegram', [{ ...fell('x'), links: { app: '/apps/3' } }]);
  expect(text).not.toContain('href');
});
