import type { TFunction } from 'i18next';
import { formatCount, formatDecimal, formatList } from '../format.ts';
import { readFact, type ChangedValue, type Rival, type TimelineFact } from '../queries/timeline-facts.ts';
import type { TimelineItem } from '../queries/timeline.ts';

interface Told {
  title: string;
  /** What else is worth knowing, in a line. */
  text: string | null;
}

/** What happened, in the language of the page; in the API's own words where those are new. */
export function tellItem(item: TimelineItem, t: TFunction): Told {
  const fact = readFact(item);
  return fact ? tellFact(fact, t) : { title: item.title, text: item.text };
}

function tellFact(fact: TimelineFact, t: TFunction): Told {
  switch (fact.kind) {
    case 'change': {
      const changes = formatList(fact.changes.map((change) => tellChange(change, t)));
      return { title: ofRival(fact.rival, t('happened.changed', { changes }), t), text: null };
    }
    case 'version':
      return { title: ofRival(fact.rival, t('happened.version', { version: fact.version }).trim(), t), text: null };
    case 'rank': {
      const moves = (['rose', 'fell'] as const).filter((way) => fact[way] > 0);
      return { title: formatList(moves.map((way) => t(`happened.${way}`, { count: fact[way], shown: formatCount(fact[way]) }))), text: null };
    }
    case 'reviews':
      return {
        title: t('happened.reviews', { count: fact.count, shown: formatCount(fact.count) }),
        text: t('happened.usual', { usual: formatDecimal(Number(fact.usual)), count: fact.days }),
      };
    case 'run':
      return { title: t(`happened.run.${fact.fault}`), text: null };
  }
}

function tellChange({ field, value }: ChangedValue, t: TFunction): string {
  const name = t(`alerts.field.${field}`);
  return value === null ? name : t('happened.to', { field: name, value });
}

function ofRival(rival: Rival | null, what: string, t: TFunction): string {
  return rival === null ? what : t('happened.ofRival', { name: rival.name ?? t('happened.rival'), what });
}
