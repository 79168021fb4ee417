import type { ReactNode } from 'react';
import type { Issue } from '#contract/errors.ts';
import { isApiError } from '../describe-error.ts';

interface Refusal {
  /** The errors of the form's fields, by the paths of the request. */
  fields: Record<string, ReactNode>;
  /** The error as it is if the form has no field for a part of it. */
  other: unknown;
}

/**
 * The texts of a form for the values that the API refuses. `describe` returns null for a value that
 * the form has no field for.
 */
export function readRefusal(error: unknown, describe: (issue: Issue) => string | null): Refusal {
  const issues = (isApiError(error, 'invalid_request') && error.envelope.issues) || [];
  const texts = issues.map((issue) => [issue.path, describe(issue)] as const);
  if (texts.length === 0 || texts.some(([, text]) => text === null))
    return { fields: {}, other: error };
  const fields = texts.map(([path, text]) => [path, <FieldError key={path} text={text} />]);
  return { fields: Object.fromEntries(fields), other: null };
}

/** Announced, because the focus may be in its field already. */
function FieldError({ text }: { text: string | null }) {
  return (
    <span role="alert" ref={showField}>
      {text}
    </span>
  );
}

/** The field may be far from the button that was pressed. */
function showField(text: HTMLElement | null): void {
  text?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  text?.scrollIntoView({ block: 'nearest' });
}
