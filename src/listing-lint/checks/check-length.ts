import { countCharacters } from '#lib/text.ts';
import { fieldNames, type Problem, type TextCheck } from '../finding.ts';
import { limitOf } from '../text-limits.ts';

/** Counts what the tool sends: code points, as both stores do. */
export const checkLength: TextCheck = ({ listing, field, text }) => {
  const limit = limitOf(listing.store, listing.format, field);
  if (!limit) return [];
  const { value } = text;
  const name = fieldNames[field];
  const length = countCharacters(value);
  const trimmed = countCharacters(value.trim());
  const problem = (rule: Problem['rule'], message: string): Problem[] => [{ rule, message }];
  if (length > limit.max && trimmed <= limit.max)
    return problem(
      'too-long-with-line-end',
      `${name} has ${length} characters with the space around it, which ${listing.format} ` +
        `sends; ${limit.max} at most. Remove the line end.`,
    );
  if (length > limit.max)
    return problem(
      'too-long',
      `${name} has ${length} characters; ${limit.max} at most. ` +
        `Shorten it by ${length - limit.max}.`,
    );
  if (value.length > limit.max)
    return problem(
      'too-long-in-utf-16',
      `${name} has ${length} characters and ${value.length} UTF-16 units; a store may count the ` +
        `latter. Shorten it to ${limit.max} units.`,
    );
  if (limit.min !== undefined && trimmed < limit.min)
    return problem('too-short', `${name} has ${trimmed} characters; ${limit.min} at least.`);
  return [];
};
