import { weekdays } from '../../../../src/contract/choices.ts';
import { formatInstant, formatList, formatWeekday } from '../../format.ts';
import { i18next } from '../../i18n.ts';
import type { AuditEntry } from '../../queries/workspace.ts';
import type { Texts } from '../../texts.ts';

/** What the API names in an entry. What it comes to name later stands as it wrote it. */
const words: Record<string, keyof Texts> = {
  appId: 'audit.word.appId',
  storeAppId: 'audit.word.storeAppId',
  store: 'audit.word.store',
  fields: 'audit.word.fields',
  format: 'audit.word.format',
  tables: 'audit.word.tables',
  rows: 'audit.word.rows',
  rules: 'audit.word.rules',
  count: 'audit.word.count',
  inviteId: 'audit.word.inviteId',
  role: 'audit.word.role',
  from: 'audit.word.from',
  to: 'audit.word.to',
  name: 'audit.word.name',
  readOnly: 'audit.word.readOnly',
  host: 'audit.word.host',
  locale: 'audit.word.locale',
  purgeAt: 'audit.word.purgeAt',
  plan: 'audit.word.plan',
  before: 'audit.word.before',
  reason: 'audit.word.reason',
  displayName: 'audit.word.displayName',
  note: 'audit.word.note',
  tags: 'audit.word.tags',
  addTags: 'audit.word.addTags',
  removeTags: 'audit.word.removeTags',
  linkedAppId: 'audit.word.linkedAppId',
  favorite: 'audit.word.favorite',
  paused: 'audit.word.paused',
  depth: 'audit.word.depth',
  url: 'audit.word.url',
  events: 'audit.word.events',
  enabled: 'audit.word.enabled',
  description: 'audit.word.description',
  defaultDepth: 'settings.defaultDepth',
  digestDay: 'settings.digestDay',
  digestHour: 'settings.digestHour',
  reviewNegativeMaxRating: 'settings.negative',
  timezoneForDisplay: 'settings.zone',
  'thresholds.movePlaces': 'settings.movePlaces',
  'thresholds.highTraffic': 'settings.highTraffic',
  'thresholds.highDifficulty': 'settings.highDifficulty',
};
const actors: Record<string, keyof Texts> = {
  payment: 'audit.who.payment',
  command: 'audit.who.command',
  'deleted account': 'audit.who.deleted',
};
const kinds: Record<string, keyof Texts> = {
  app: 'audit.on.app',
  keyword: 'audit.on.keyword',
  competitor: 'audit.on.competitor',
  token: 'audit.on.token',
  webhook: 'audit.on.webhook',
  export: 'audit.on.export',
  workspace: 'audit.on.workspace',
};

const say = (known: Record<string, keyof Texts>, name: string): string =>
  Object.hasOwn(known, name) ? String(i18next.t(known[name]!)) : name;

/** An e-mail address, or what did it without one. */
export const sayActor = (actor: string): string => say(actors, actor);

/** `app 12` in the language of the page; an e-mail address as it is. */
export function saySubject(subject: string): string {
  const [kind = '', ...id] = subject.split(' ');
  return [say(kinds, kind), ...id].join(' ');
}

export function sayDetail(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${say(words, name)}: ${sayValue(name, value)}`)
    .join(' · ');
}

function sayValue(name: string, value: AuditEntry['detail'][string]): string {
  if (typeof value === 'boolean') return i18next.t(value ? 'audit.yes' : 'audit.no');
  const text = String(value);
  if (name === 'fields') return formatList(text.split(', ').map((field) => say(words, field)));
  if (name === 'purgeAt') return formatInstant(text);
  if (name === 'store' && (text === 'ios' || text === 'android')) return i18next.t(`store.${text}`);
  if (text === 'owner' || text === 'member') return i18next.t(`workspaces.role.${text}`);
  const weekday = name === 'digestDay' ? weekdays.findIndex((day) => day === text) : -1;
  return weekday < 0 ? text : formatWeekday(weekday);
}
