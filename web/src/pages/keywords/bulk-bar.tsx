import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core';
import {
  ClipboardCopy,
  Download,
  Gauge,
  Pause,
  Play,
  RefreshCw,
  Star,
  Tag,
  Trash2,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useState, type ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { copyWithToast } from '#web/components/copy-with-toast.ts';
import { profileOf } from '#stores/profiles.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { saveFile } from '#web/save-file.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './bulk-bar.module.css';
import type { useKeywordActions } from './keyword-actions.ts';
import type { ColumnId } from './keyword-columns.tsx';
import { nameKeywordsFile, writeKeywordsCsv } from './keyword-csv.ts';
import { toKeywordField } from './keyword-field.ts';
import { countRequests, useBulkCheck } from './use-bulk-check.ts';
import { useBulkScore } from './use-bulk-score.ts';

interface Props {
  appId: number;
  selected: Keyword[];
  tags: string[];
  actions: ReturnType<typeof useKeywordActions>;
  /** The columns of an export. */
  columns: readonly ColumnId[];
  onClear: () => void;
}

interface ActionProps extends ComponentPropsWithRef<'button'> {
  icon: LucideIcon;
  label: string;
  /** Shown instead of the label, except on wide screens. */
  short?: string;
  danger?: boolean;
}

function Action({ icon: Icon, label, short, danger, title, ...rest }: ActionProps) {
  return (
    <UnstyledButton
      {...rest}
      title={title ?? (short && label)}
      className={styles.action}
      data-danger={danger || undefined}
    >
      <Icon size={15} aria-hidden />
      <span className={short ? styles.long : undefined}>{label}</span>
      {short && (
        <span className={styles.short} aria-hidden>
          {short}
        </span>
      )}
    </UnstyledButton>
  );
}

function TagPopover({ selected, tags, actions }: Pick<Props, 'selected' | 'tags' | 'actions'>) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState('');
  const present = [...new Set(selected.flatMap((keyword) => keyword.tags))];
  const change = (set: { addTags: string[] } | { removeTags: string[] }) => {
    actions.update.mutate({ keywords: selected, set });
    setText('');
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top"
      width={240}
      trapFocus
      returnFocus
      shadow="md"
      withinPortal={false}
    >
      <Popover.Target>
        <Action
          icon={Tag}
          label={t('bulk.tag')}
          disabled={!canWrite}
          title={reason}
          onClick={() => setOpened((before) => !before)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('bulk.tag')}>
        <form
          className={styles.tags}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) change({ addTags: [text.trim()] });
          }}
        >
          <TextInput
            label={t('bulk.newTag')}
            maxLength={40}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          {tags
            .filter((tag) => !present.includes(tag))
            .slice(0, 6)
            .map((tag) => (
              <Button
                key={tag}
                size="xs"
                variant="default"
                onClick={() => change({ addTags: [tag] })}
              >
                {t('bulk.addTag', { tag })}
              </Button>
            ))}
          {present.slice(0, 6).map((tag) => (
            <Button
              key={tag}
              size="xs"
              variant="light"
              color="red"
              onClick={() => change({ removeTags: [tag] })}
            >
              {t('bulk.removeTag', { tag })}
            </Button>
          ))}
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

export function BulkBar({ appId, selected, tags, actions, columns, onClear }: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const guard = { disabled: !canWrite, title: reason };
  const allPaused = selected.every((keyword) => keyword.paused);
  const allFavorite = selected.every((keyword) => keyword.favorite);
  const update = (set: { favorite: boolean } | { paused: boolean }) =>
    actions.update.mutate({ keywords: selected, set });
  const app = useCurrentApp();
  const limit = app && profileOf(app.store).texts.keywordField?.max;
  const copyField = (maxCharacters: number) => {
    const field = toKeywordField(
      selected.map((keyword) => keyword.phrase),
      maxCharacters,
    );
    void copyWithToast(
      field.text,
      t('bulk.copied', { length: field.length, limit: maxCharacters, count: field.left.length }),
    );
  };
  const score = useBulkScore();
  const check = useBulkCheck(appId);
  const active = selected.filter((keyword) => !keyword.paused);
  const download = () =>
    saveFile(
      `${nameKeywordsFile(app, 'selected')}.csv`,
      writeKeywordsCsv(selected, columns, t, app?.store),
      'text/csv',
    );
  const remove = () => {
    actions.remove.mutate({ keywords: selected });
    onClear();
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('bulk.label')}>
      <span className={styles.count} role="status">
        {t('bulk.count', { count: selected.length })}
      </span>
      <Action
        icon={Star}
        label={allFavorite ? t('bulk.unfavorite') : t('bulk.favorite')}
        onClick={() => update({ favorite: !allFavorite })}
        {...guard}
      />
      <TagPopover selected={selected} tags={tags} actions={actions} />
      <Action
        icon={allPaused ? Play : Pause}
        label={allPaused ? t('bulk.resume') : t('bulk.pause')}
        onClick={() => update({ paused: !allPaused })}
        {...guard}
      />
      <Action
        icon={RefreshCw}
        label={t('bulk.check')}
        short={t('bulk.checkShort')}
        onClick={() => check.mutate(selected)}
        disabled={!canWrite || active.length === 0 || check.isPending}
        title={
          reason ??
          (active.length === 0
            ? t('bulk.allPaused')
            : t('bulk.checkHint', { count: countRequests(selected.length) }))
        }
      />
      <Action
        icon={Gauge}
        label={t('bulk.score')}
        onClick={() => score.mutate(active)}
        disabled={!canWrite || active.length === 0 || score.isPending}
        title={reason ?? t('bulk.scoreHint')}
      />
      <Action icon={Download} label={t('bulk.csv')} short="CSV" onClick={download} />
      {limit !== undefined && (
        <Action
          icon={ClipboardCopy}
          label={t('bulk.copy')}
          short={t('common.copy')}
          onClick={() => copyField(limit)}
        />
      )}
      <Action icon={Trash2} label={t('bulk.remove')} danger onClick={remove} {...guard} />
      <UnstyledButton className={styles.clear} aria-label={t('bulk.clear')} onClick={onClear}>
        <X size={16} aria-hidden />
      </UnstyledButton>
    </div>
  );
}
