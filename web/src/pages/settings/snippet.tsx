import { CopyButton } from '#web/components/copy-button.tsx';
import styles from './settings-page.module.css';

export function Snippet({ id, title, text }: { id: string; title: string; text: string }) {
  return (
    <section aria-labelledby={`snippet-${id}`}>
      <div className={styles.snippetHead}>
        <h3 id={`snippet-${id}`}>{title}</h3>
        <CopyButton text={text} label={title} />
      </div>
      <div className={styles.secret}>
        <pre tabIndex={0} aria-labelledby={`snippet-${id}`} data-testid={`snippet-${id}`}>
          {text}
        </pre>
      </div>
    </section>
  );
}
