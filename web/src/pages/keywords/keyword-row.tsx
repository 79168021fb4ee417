import { CirclePause, CloudAlert, Star } from 'lucide-react';
import type { TFunction } from 'i18next';
import { memo, type ReactNode } from 'react';
import type { Keyword } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { TagDot } from '#web/components/tag-dot.tsx';
import { CountryChip } from '#web/components/country-chip.tsx';
import { DeviceName } from '#web/components/device-name.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { drawMove } from '#web/components/move.tsx';
import { drawDescription, drawWords } from '#web/components/phrase-words.tsx';
import { drawPosition } from '#web/components/position-text.tsx';
import { drawSparkline } from '#web/components/sparkline.tsx';
import { formatMarket } from '#web/format.ts';
import type { ColumnId } from './keyword-columns.tsx';
import styles from './keyword-table.module.css';
import type { KeywordLinks } from './use-keyword-links.ts';

interface Props {
  keyword: Keyword;
  index: number;
  visible: readonly ColumnId[];
  ticked: boolean;
  top: number;
  height: number;
  /** Why the row is read-only. */
  locked: string | undefined;
  links: KeywordLinks;
  /** Passed on, because looking it up subscribes each row to changes of the language. */
  t: TFunction;
  onTick: (index: number, withRange: boolean) => void;
  onFavorite: (keyword: Keyword) => void;
}

function drawPending(keyword: Keyword, t: TFunction): ReactNode {
  if (keyword.pending === 'queued' || keyword.pending === 'running') {
    return (
      <span className={styles.pending}>
        <span className={styles.pulse} aria-hidden />
        {t(`pending.${keyword.pending}`)}
      </span>
    );
  }
  if (keyword.pending === 'store_error' || keyword.pending === 'not_served') {
    return (
      <span className={styles.trouble}>
        <CloudAlert size={14} aria-hidden />
        {t(`pending.${keyword.pending}`)}
      </span>
    );
  }
  return null;
}

const drawLatest = (keyword: Keyword, t: TFunction): ReactNode =>
  !keyword.latest && keyword.pending && keyword.pending !== 'paused'
    ? drawPending(keyword, t)
    : drawPosition({ cell: keyword.latest }, t);

/**
 * A plain function instead of a component: components would look up their texts twelve times per
 * row, and scrolling renders ten rows at once.
 */
function drawCell(
  id: ColumnId,
  { keyword, visible, links }: Pick<Props, 'keyword' | 'visible' | 'links'>,
  t: TFunction,
): ReactNode {
  switch (id) {
    case 'phrase':
      return (
        <span className={styles.phrase}>
          <a
            href={links.hrefOf(keyword.id)}
            onClick={links.open}
            className={styles.link}
            dir="auto"
          >
            {drawWords(keyword.phrase, keyword.words, t)}
          </a>
          {drawDescription(keyword.words, t)}
          {keyword.paused && (
            <span className={styles.badge}>
              <CirclePause size={12} aria-hidden />
              {t('pending.paused')}
            </span>
          )}
          {keyword.tags.slice(0, 2).map((tag) => (
            <span key={tag} className={styles.tag} title={tag}>
              <TagDot tag={tag} />
              {tag}
            </span>
          ))}
          {keyword.tags.length > 2 && (
            <span className={styles.moreTags} title={keyword.tags.join(', ')}>
              +{keyword.tags.length - 2}
            </span>
          )}
        </span>
      );
    case 'country':
      return visible.includes('device') ? (
        <CountryChip code={keyword.country} />
      ) : (
        <MarketChip of={keyword} />
      );
    case 'device':
      return <DeviceName device={keyword.device} />;
    case 'position':
      return drawLatest(keyword, t);
    case 'best':
      return (
        <span className="num muted" title={keyword.best?.date}>
          {keyword.best?.position ?? '–'}
        </span>
      );
    case 'traffic':
    case 'difficulty':
    case 'opportunity':
      return keyword[id] === null ? (
        <span className="muted" title={t('keywords.unscored')}>
          <span aria-hidden>–</span>
          <span className="sr-only">{t('keywords.unscored')}</span>
        </span>
      ) : (
        drawScore(keyword, id, t)
      );
    case 'published':
      return drawPublished(keyword, t);
    case 'trend':
      return drawSparkline(keyword.spark, t);
    case 'checked':
      return (
        <span className={styles.checked}>
          <Ago instant={keyword.latest?.checkedAt} />
        </span>
      );
    default:
      return drawMove(keyword[id], t);
  }
}

/** A score with low confidence is shown as its range. */
function drawScore(
  keyword: Keyword,
  id: 'traffic' | 'difficulty' | 'opportunity',
  t: TFunction,
): ReactNode {
  const range = id === 'opportunity' ? null : keyword[`${id}Range`];
  if (range === null) return <span className="num">{keyword[id]}</span>;
  return (
    <span className="num muted" title={t('keywords.rangeHint', range)}>
      {t('keywords.range', range)}
    </span>
  );
}

/** The number, or the bound of a phrase that is not listed. */
function drawPublished({ published }: Keyword, t: TFunction): ReactNode {
  if (!published) return <span className="muted">–</span>;
  const { popularity, atMost } = published;
  if (popularity !== null) return <span className="num">{popularity}</span>;
  const words = t('keywords.unlisted', { value: atMost });
  return (
    <span className="num muted" title={words}>
      <span aria-hidden>≤ {atMost}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

export const KeywordRow = memo(function KeywordRow({
  keyword,
  index,
  visible,
  ticked,
  top,
  height,
  locked,
  links,
  t,
  onTick,
  onFavorite,
}: Props) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={ticked}
      className={styles.row}
      style={{ height, top }}
      data-index={index}
    >
      <span role="cell" className={styles.tick}>
        <input
          type="checkbox"
          checked={ticked}
          aria-label={t('keywords.select', {
            phrase: keyword.phrase,
            country: formatMarket(keyword),
          })}
          onChange={(event) => onTick(index, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      </span>
      <span role="cell" className={styles.star}>
        <button
          type="button"
          className={styles.starButton}
          aria-pressed={keyword.favorite}
          aria-label={t('keywords.favorite', { phrase: keyword.phrase })}
          disabled={locked !== undefined}
          title={locked}
          onClick={() => onFavorite(keyword)}
        >
          <Star
            size={15}
            aria-hidden
            className={keyword.favorite ? styles.starOn : styles.starOff}
          />
        </button>
      </span>
      {visible.map((id) => (
        <span key={id} role="cell" data-column={id} className={styles.cell}>
          {drawCell(id, { keyword, visible, links }, t)}
        </span>
      ))}
    </div>
  );
});
