import { Button, TagsInput, Textarea, Tooltip } from '@mantine/core';
import { Check, Circle, History, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '#web/components/country-chip.tsx';
import { splitNewTags } from '#web/components/split-new-tags.ts';
import { formatInstant } from '#web/format.ts';
import type { Review } from '#web/queries/reviews.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useDraft } from '#web/use-draft.ts';
import { ReviewVersions } from './review-versions.tsx';
import styles from './review-row.module.css';
import { Stars } from './stars.tsx';
import { useReviewUpdate, type UpdateReview } from './use-review-update.ts';

interface Props {
  review: Review;
  onTag: (tag: string) => void;
}

const mostTags = 20;

export function ReviewRow({ review: saved, onTag }: Props) {
  const { t } = useTranslation();
  const { review, update } = useReviewUpdate(saved);
  const { canWrite, reason } = useWriteAccess();
  const [open, setOpen] = useState<'versions' | 'marks' | null>(null);
  const title = review.title ?? t('reviews.untitled');
  const show = (part: 'versions' | 'marks') => setOpen(open === part ? null : part);
  return (
    <li className={styles.row} data-unread={!review.read || undefined} data-key-row>
      <article aria-label={`${title}, ${t('reviews.stars', { count: review.rating })}`}>
        <header className={styles.head}>
          <Stars rating={review.rating} />
          <h3 className={styles.title} dir="auto">
            {title}
          </h3>
          {!review.read && <span className={styles.new}>{t('reviews.isUnread')}</span>}
        </header>
        <p className={styles.body} dir="auto">
          {review.body}
        </p>
        {review.reply && (
          <blockquote className={styles.reply}>
            <p className={styles.replyHead}>
              {t('reviews.replied')}{' '}
              {review.reply.at && <span className="num">{formatInstant(review.reply.at)}</span>}
            </p>
            <p dir="auto">{review.reply.text}</p>
          </blockquote>
        )}
        <footer className={styles.foot}>
          <bdi>{review.author ?? t('reviews.anonymous')}</bdi>
          <CountryChip code={review.country} />
          {review.version && <span>{t('reviews.versionIs', { version: review.version })}</span>}
          {review.reviewedAt && (
            <time dateTime={review.reviewedAt}>{formatInstant(review.reviewedAt)}</time>
          )}
          {review.editedAt && <span>{t('reviews.edited')}</span>}
          {review.tags.map((tag) => (
            <button key={tag} type="button" className={styles.tag} onClick={() => onTag(tag)}>
              {tag}
            </button>
          ))}
          <span className={styles.buttons}>
            {review.editedAt && (
              <Button
                className="touch"
                size="compact-sm"
                variant="subtle"
                leftSection={<History size={14} aria-hidden />}
                aria-expanded={open === 'versions'}
                onClick={() => show('versions')}
              >
                {t('reviews.before')}
              </Button>
            )}
            <Button
              className="touch"
              size="compact-sm"
              variant="subtle"
              leftSection={<StickyNote size={14} aria-hidden />}
              aria-expanded={open === 'marks'}
              onClick={() => show('marks')}
            >
              {review.note ? t('reviews.noteThere') : t('reviews.mark')}
            </Button>
            <Tooltip label={reason} disabled={canWrite}>
              <Button
                className="touch"
                size="compact-sm"
                variant="subtle"
                data-disabled={!canWrite || undefined}
                aria-disabled={!canWrite}
                leftSection={
                  review.read ? <Circle size={14} aria-hidden /> : <Check size={14} aria-hidden />
                }
                onClick={() => canWrite && void update({ read: !review.read })}
              >
                {review.read ? t('reviews.markUnread') : t('reviews.markRead')}
              </Button>
            </Tooltip>
          </span>
        </footer>
        {open === 'versions' && <ReviewVersions reviewId={review.id} />}
        {open === 'marks' && <Marks review={review} canWrite={canWrite} onUpdate={update} />}
      </article>
    </li>
  );
}

function Marks({
  review,
  canWrite,
  onUpdate,
}: {
  review: Review;
  canWrite: boolean;
  onUpdate: UpdateReview;
}) {
  const { t } = useTranslation();
  const draft = useDraft(`review-note.${review.id}`, review.note ?? '', review.etag);
  const save = async () => {
    if (draft.isChanged && (await onUpdate({ note: draft.text || null }, draft.base)))
      draft.forget(draft.text);
  };
  return (
    <div className={styles.marks}>
      <TagsInput
        label={t('reviews.tags')}
        value={review.tags}
        maxTags={mostTags}
        disabled={!canWrite}
        onChange={(tags) => void onUpdate({ tags: splitNewTags(tags, review.tags) })}
      />
      <Textarea
        label={t('reviews.note')}
        value={draft.text}
        maxLength={2_000}
        autosize
        minRows={2}
        disabled={!canWrite}
        onChange={(event) => draft.change(event.currentTarget.value)}
        onBlur={() => void save()}
      />
    </div>
  );
}
